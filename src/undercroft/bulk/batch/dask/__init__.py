"""Make the chunks of a batch on a Dask cluster."""
