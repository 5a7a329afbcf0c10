// HTTPTargets
