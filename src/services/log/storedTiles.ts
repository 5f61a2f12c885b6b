/** Tiles as the database keeps them: those asked for that are there, with all the hashes that they have by now. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoredTile } from "./append.ts"

export const loadTiles = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  wanted: ReadonlyArray<Pick<StoredTile, "level" | "n">>
) {
  const found = yield* sql<StoredTile>`
    SELECT level, n::float8 AS n, hashes FROM log_tile JOIN (
      SELECT DISTINCT level, n
      FROM unnest(${wanted.map(({ level }) => level)}::smallint[], ${wanted.map(({ n }) => n)}::bigint[]) AS one (level, n)
    ) AS wanted USING (level, n)`
  return found.map((tile): StoredTile => ({ ...tile, hashes: new Uint8Array(tile.hashes) }))
})
