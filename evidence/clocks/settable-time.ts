// Loaded before a program to break it on purpose: its time for durations is the one that can be set.
performance.now = () => Date.now() - performance.timeOrigin;
