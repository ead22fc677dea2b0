"""What was played, looked at afterwards: papers judged, games analysed and plotted. Also sheets to play on."""
