"""The fifteen checks of a prepared action against what was asked for (docs/verify-before-you-sign.md)."""
