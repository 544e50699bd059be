@echo off
rem Starts the dashboard from this folder; any arguments are those of the command disclosure.
setlocal
if exist "%~dp0python\python.exe" goto beside
py -@VERSION@ -I "%~dp0start.py" %*
if errorlevel 1 goto failed
exit /b 0
:beside
"%~dp0python\python.exe" -I "%~dp0start.py" %*
if errorlevel 1 goto failed
exit /b 0
:failed
set code=%errorlevel%
echo It ended with status %code%. It needs Python @VERSION@, 64 bit: README.txt says where.
pause
exit /b %code%
