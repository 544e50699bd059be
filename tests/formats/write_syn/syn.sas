* Written by R;
*  foreign::write.foreign(syn, "syn_sas.txt", "syn.sas", package = "SAS") ;

PROC FORMAT;
value sex 
     1 = "MALE" 
     2 = "FEMALE" 
;

DATA  rdata ;
LENGTH
 town $ 9
;

INFILE  "syn_sas.txt" 
     DSD 
     LRECL= 27 ;
INPUT
 sex
 town
 age
 income
;
FORMAT sex sex. ;
RUN;
