// Elaboration parameters of this run, for a simulator's -f.
+define+CONGRUENT_FLOWS=256
+define+CONGRUENT_FLOW_W=12
+define+CONGRUENT_HOPS=5
+define+CONGRUENT_TIME_W=48
+define+CONGRUENT_TIME_INIT=-96
+define+CONGRUENT_U_FRAC=24
+define+CONGRUENT_W_FRAC=8
