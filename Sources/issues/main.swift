print("issues")
