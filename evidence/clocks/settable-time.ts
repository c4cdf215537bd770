// Preloaded as a sabotage: durations use the clock that can be set.
performance.now = () => Date.now() - performance.timeOrigin;
