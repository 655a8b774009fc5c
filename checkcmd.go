package main

import (
	"context"

	"agora/internal/config"
)

func (p program) check(ctx context.Context, c config.Config, repair bool) error {
	return nil
}
