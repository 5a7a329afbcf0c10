print("github-loopback")
