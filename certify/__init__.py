"""What is established: certificates, the trusted checker of certificates, and the ledger of claims."""
