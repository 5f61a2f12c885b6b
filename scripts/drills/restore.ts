/**
 * The restore drill: the database's machine is lost, and the database is restored from the base
 * backup and the archived write-ahead log. It is restored first to the end and then to a point in
 * time. Every answer from before must verify, and the log must agree with a saved checkpoint.
 */
import assert from "node:assert/strict"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../test/support/freePort.ts"
import { until } from "../../test/support/until.ts"
import { type Command, say } from "../harness.ts"
import {
  makeCluster,
  psql,
  runAsServer,
  type Server,
  serversFolder,
  startAsServer,
  startServer,
  untilTrue
} from "../postgres.ts"
import { type Answer, makeRoles, repay, type Service, startService, upgrade } from "./installation.ts"

const ANSWERS = 20

/**
 * An unchanged script of deploy/drills. It is passed as text, because the server's account may not
 * be able to read the file.
 */
const script = (name: string, ...args: ReadonlyArray<string>): Command => [
  "sh",
  "-c",
  readFileSync(join("deploy/drills", name), "utf8"),
  name,
  ...args
]

const sizeOf = (checkpoint: string): number => Number(checkpoint.split("\n")[1])

/** Saves the log's checkpoint to a file once it covers `size` records. */
const keptCheckpoint = async (service: Service, size: number, file: string): Promise<string> => {
  let kept = ""
  await until(async () => {
    kept = await service.checkpoint().catch(() => "")
    return sizeOf(kept) >= size
  })
  writeFileSync(file, kept)
  return file
}

/** Starts wal.sh; from then on every commit waits until the receiver has it. */
const receive = async (server: Server, folder: string, connection: string, wal: string) => {
  const receiver = startAsServer(folder, script("wal.sh", connection, wal))
  await psql(server.administrators, "--command=ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'")
  await psql(server.administrators, "--command=SELECT pg_reload_conf()")
  await untilTrue(server.administrators, "count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
  return receiver
}

interface Expected {
  readonly there: ReadonlyArray<Answer>
  readonly gone: ReadonlyArray<Answer>
  readonly checkpoint: string
}

/** Checks the restored server with a service on it; resolves with the running server. */
const judge = async (
  folder: string,
  ports: { readonly database: number; readonly service: number },
  expected: Expected
) => {
  const server = await startServer(folder, ports.database)
  const service = await startService(server, ports.service)
  assert.equal(await service.verified(expected.there), expected.there.length)
  assert.equal(await service.verified(expected.gone), 0)
  const audit = JSON.parse(await repay(server, ["audit", "--json", "--checkpoint", expected.checkpoint]))
  assert.equal(audit.finding, null)
  await repay(server, ["doctor"], { PUBLIC_URL: service.base })
  await service.stop()
  return server
}

export const restoreDrill = async (folder: string): Promise<string> => {
  const home = serversFolder(join(folder, "restore"))
  const [wal, backups] = [join(home, "wal"), join(home, "backups")]
  await makeCluster(home)
  const ports = { database: await freePort(), service: await freePort() }
  const server = await startServer(home, ports.database)
  await makeRoles(server)
  const base = `http://127.0.0.1:${ports.service}`
  await upgrade(server, base)
  const connection = `host=127.0.0.1 port=${ports.database} user=repayment_backup`
  const receiver = await receive(server, home, connection, wal)
  const service = await startService(server, ports.service)
  const key = await service.mint()
  const first = await service.answer(key, ANSWERS)
  const backUp = (url: string) =>
    runAsServer(home, script("backup.sh", connection, backups, "2", wal), { PUBLIC_URL: url })
  const backup = await backUp(base)
  await assert.rejects(backUp("http://127.0.0.1:1"), /the base backup is complete, but/)
  assert.equal(readdirSync(backups).filter((name) => name.startsWith("base-")).length, 2)
  say(`a base backup beside ${ANSWERS} answers`)
  const second = await service.answer(key, ANSWERS)
  const checkpoint = await keptCheckpoint(service, 2 * ANSWERS, join(folder, "checkpoint"))
  const moment = await psql(server.administrators, "--command=SELECT clock_timestamp()")
  const third = await service.answer(key, ANSWERS)
  await server.destroy()
  await service.stop()
  await receiver.stop()
  say(`${ANSWERS} more answers, then as many again; the server killed at once, and its data deleted`)

  const data = join(home, "data")
  await runAsServer(home, script("restore.sh", backup, wal, data))
  const whole = await judge(home, ports, { there: [...first, ...second, ...third], gone: [], checkpoint })
  await whole.destroy()
  say("restored to the end: every answer that was acknowledged verifies; audit and doctor find nothing")

  await runAsServer(home, script("restore.sh", backup, wal, data, moment))
  const earlier = await judge(home, ports, { there: [...first, ...second], gone: third, checkpoint })
  await earlier.stop()
  return "restored to a moment: the answers before it verify, those after it are gone; audit and doctor find nothing"
}
