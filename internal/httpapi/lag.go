package httpapi

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/metrics"
)

// lag returns how far remotes are behind, by their names.
func lag(ctx context.Context, remotes func(context.Context) ([]api.Remote, error)) ([]metrics.Metric, error) {
	if remotes == nil {
		return nil, nil
	}
	all, err := remotes(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	gauge := func(shown, sent, unit, help string) metrics.Metric {
		return metrics.Metric{Kind: metrics.Gauge, Shown: shown, Sent: sent, Unit: unit, Help: help}
	}
	unpushed := gauge("stemma_remote_unpushed_records", "stemma.remote.unpushed", "{record}",
		"Records here that the remote was not given yet.")
	unpulled := gauge("stemma_remote_unpulled_records", "stemma.remote.unpulled", "{record}",
		"Records that the remote had at the last exchange and that were not taken yet.")
	since := gauge("stemma_remote_exchange_seconds", "stemma.remote.exchange.age", "s",
		"How long ago the last complete exchange was. Missing where there was none.")
	failures := gauge("stemma_remote_failures", "stemma.remote.failures", "{exchange}",
		"Exchanges that failed since the last complete one.")
	for _, r := range all {
		name, n := metrics.Word("remote", "stemma.remote", r.Name), 0
		if r.Sync != nil {
			n = r.Sync.Failures
		}
		failures.Points = append(failures.Points, metrics.Whole(int64(n), name))
		if r.Lag == nil {
			continue
		}
		unpushed.Points = append(unpushed.Points, metrics.Whole(r.Lag.Unpushed, name))
		unpulled.Points = append(unpulled.Points, metrics.Whole(r.Lag.Unpulled, name))
		if r.Lag.Seconds != nil {
			since.Points = append(since.Points, metrics.Whole(*r.Lag.Seconds, name))
		}
	}
	return []metrics.Metric{unpushed, unpulled, since, failures}, nil
}
