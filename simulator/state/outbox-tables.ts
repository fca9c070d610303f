/** Where events, their deliveries and the attempts of these are kept. */
export const outboxTables = `
  CREATE TABLE webhook_events (
    id INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    app_key TEXT NOT NULL,
    event_type TEXT NOT NULL,
    body BLOB NOT NULL, -- the very bytes that go out
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX events_of_application ON webhook_events (app_key);
  CREATE TABLE deliveries ( -- an event to a target
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES webhook_events,
    target INTEGER NOT NULL REFERENCES webhook_targets,
    state TEXT NOT NULL,
    failed_attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX deliveries_of_event ON deliveries (event);
  CREATE INDEX deliveries_of_target ON deliveries (target, state);
  CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    delivery INTEGER NOT NULL REFERENCES deliveries,
    app_key TEXT NOT NULL,
    target INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    delivery_id TEXT,
    started_ms INTEGER, -- NULL: waits
    ended_ms INTEGER, -- NULL, though it started: is under way
    status INTEGER,
    error TEXT
  ) STRICT;
  CREATE INDEX attempts_of_delivery ON attempts (delivery);
  CREATE INDEX waiting_attempts ON attempts (app_key, target, due_ms) WHERE started_ms IS NULL;
  CREATE INDEX waiting_attempts_by_time ON attempts (app_key, due_ms) WHERE started_ms IS NULL;
  CREATE INDEX open_attempts ON attempts (id) WHERE started_ms IS NOT NULL AND ended_ms IS NULL;
`;
