package parallel

import "context"

func (s *search) first(ctx context.Context) {}
