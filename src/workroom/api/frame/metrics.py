"""Numbers for operators, in Prometheus' format. Labels are route templates and names of ours, never ids or people."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

LAGS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """One registry per application, so that two in one process do not collide."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self._requests = Counter("workroom_http_requests", "Requests answered.", labels, registry=self.registry)
        self._seconds = Histogram(
            "workroom_http_request_seconds", "Time to answer.", ("method", "route"), registry=self.registry
        )
        self.streams = Gauge("workroom_event_streams", "Open event streams.", registry=self.registry)
        self.loop_lag = Histogram(
            "workroom_loop_lag_seconds", "How late the event loop woke up.", buckets=LAGS, registry=self.registry
        )
        self.connections = Gauge(
            "workroom_database_connections", "Connections in the pool.", ("state",), registry=self.registry
        )
        self.counted = Gauge("workroom_objects", "Rows by kind, over all mandates.", ("kind",), registry=self.registry)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def render(self) -> bytes:
        return generate_latest(self.registry)
