package cycle

func double(n int) int { return area(square{side: 1}) * n * 2 }
