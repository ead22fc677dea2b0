"""Pictures: a Scene is data, and each printer here turns any Scene into SVG, text, PNG or GIF."""
