"""Read and write folders of grammar rules."""
