package cycle

func (s square) times(n int) int { return double(s.side) * n / 2 }
