"""From a refutation to a proof that checkers from outside read: LRAT, VeriPB, Coq."""
