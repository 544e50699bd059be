"""A standalone Spark cluster on this machine: a master and two workers of one core each."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyspark

if TYPE_CHECKING:
    from collections.abc import Iterator


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """Start a cluster that works in `folder`, and give its address; it is killed in the end."""
    spark = Path(pyspark.__file__).parent
    environment = {
        **os.environ, "SPARK_HOME": str(spark), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / "work"), "SPARK_LOCAL_DIRS": str(folder / "local"),
    }  # fmt: skip
    port = _free_port()
    address = f"spark://127.0.0.1:{port}"
    server = "org.apache.spark.deploy."
    calls = [
        [f"{server}master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0"],
        *[[f"{server}worker.Worker", "--cores", "1", "--memory", "1g", "--webui-port", "0", address]] * 2,
    ]
    started: list[subprocess.Popen[bytes]] = []
    try:
        for i, call in enumerate(calls):
            log = (folder / f"{i}.log").open("wb")
            spark_class = [str(spark / "bin" / "spark-class"), *call]
            started.append(subprocess.Popen(spark_class, env=environment, stdout=log, stderr=log, cwd=folder))
            if not i:
                _until(lambda: not _refuses(port))
        yield address
    finally:
        for process in started:
            process.kill()
            process.wait()


def _refuses(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) != 0


def _until(done: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.1)
