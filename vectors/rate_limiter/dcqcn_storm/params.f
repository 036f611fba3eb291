// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_QPS=8
+define+CONGRUENT_QP_W=4
+define+CONGRUENT_TIME_W=12
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_RATE_FRAC=24
+define+CONGRUENT_EST_FRAC=24
+define+CONGRUENT_DCQCN=1
+define+CONGRUENT_BYTE_W=20
