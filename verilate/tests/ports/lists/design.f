// Paths are relative to the folder of this list.
# also a comment
+incdir+../include
+define+FROM_LIST=3+ALSO
/* over
   two lines */ -GDEPTH=6
-y ../library
"../listed.sv" // the top
-F inner/more.f
