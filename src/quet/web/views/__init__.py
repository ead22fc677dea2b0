"""The pages, a module for each kind; each has one `router`, and `create_app` includes it."""
