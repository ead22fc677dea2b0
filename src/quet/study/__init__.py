"""What was played, looked at afterwards: judged on paper, analysed, plotted; and sheets to play on."""
