"""Games of other authors in the form of our rules, to be measured side by side with other programs."""
