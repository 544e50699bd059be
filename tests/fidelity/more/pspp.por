ASCII SPSS PORT FILE                    ASCII SPSS PORT FILE                    
ASCII SPSS PORT FILE                    ASCII SPSS PORT FILE                    
ASCII SPSS PORT FILE                    0000000000000000000000000000000000000000
0000000000000000000000000123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst
uvwxyz .<(+|&[]!$*);^-/|,%_>?`:$@'="000000~-0000123456789000-()0{}\0000000000000
00000000000000000000000000000000000000000000000000000000SPSSPORTA8/202611266/012
3241E/GNU pspp 1.6.23J/x86_64-pc-linux-gnu49/5B/70/2/ID5/8/0/5/8/0/70/5/WHOLE5/8
/0/5/8/0/70/7/DECIMAL5/9/3/5/9/3/710/4/WORD1/10/0/1/10/0/CL/A text, with "quotes
"7K/4/CODE1/K/0/1/K/0/7K/5/LATIN1/K/0/1/K/0/70/3/DAY19/A/0/19/A/0/70/3/GAP5/9/1/
5/9/1/71/1/T1/1/0/1/1/0/D1/5/WHOLE2/-1J/5/leastBK/4/mostF1/-1J/.6MF/10/Zürich  
                     K/007                 K/Zürich             IRMSO00/1.F/1/b
2/-1G/.AF/10/naïve, café                 K/1e5                 K/naïve, café
       IRN2+3/2.F/1/a3/-1B/.E7F/10/say "so"                      K/1.0          
       K/say "so"            IRN5600/3.F/1/b4/-14/.I/10/Ελλάδα            
      K/0x1F                K/Besançon           IRN8C00/*.1/a5/-P/.LMF/10/Мо
сква                  K/12-3                K/word 5              IRNBI00/1.
F/1/b6/-E/.PF/10/日本                        K/TRUE                K/word 6   
           IRNEO00/2.F/1/a7/-1/.T7F/10/مرحبا                    K/+5       
           K/word 7              IRNI+3/3.F/1/b8/E/1.3/10/emoji 🙂            
        K/1,5                 K/word 8              IRNL600/*.1/a9/11/1.6MF/10/a
  b                          K/00                  K/word 9              IRNOC00
/1.F/1/bA/1K/1.AF/10/tail.                         K/1_000               K/word 
10             IRNRI00/2.F/1/aB/2B/1.E7F/10/a;b                           K/5.  
                K/word 11             IRO0O00/3.F/1/bC/34/1.I/10/NaN            
               K/½                  K/word 12             IRO4+3/*.1/aD/3T/1.LM
F/10/none                          K/²                  K/word 13             I
RO7600/1.F/1/bE/4Q/1.PF/10/NULL                          K/١٢                K
/word 14             IROAC00/2.F/1/aF/5P/1.T7F/10/x y                          
K/inf                 K/word 15             IRODI00/3.F/1/bG/6Q/2.3/10/é combi
ned                  K/1E400               K/word 16             IROGO00/*.1/aH/
7T/2.6MF/10/O'Hara                        K/0.10                K/word 17       
      IROK+3/1.F/1/bI/94/2.AF/10/=1+1                          K/-0             
     K/word 18             IRON600/2.F/1/aJ/AB/2.E7F/10/-                       
      K/3/4                 K/word 19             IROQC00/3.F/1/bK/BK/2.I/10/end
                           K/2020-01-01x         K/word 20             IROTI00/*
.1/aZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ
