"""Evidence bundles: BagIt bags that are written once and can be verified for ever."""
