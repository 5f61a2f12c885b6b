/** The check of the alerts by Prometheus' own tool, if it is installed: each alert, silent and firing. */
import { join } from "node:path"
import { isInstalled, PROJECT, run } from "../harness.ts"

export const checkAlerts = async (): Promise<string> => {
  if (!(await isInstalled(["promtool", "--version"]))) return "promtool is not installed: the alerts were not checked"
  const cwd = join(PROJECT, "deploy/prometheus")
  for (const command of ["check config prometheus.yml", "test rules alerts.test.yml"])
    await run(["promtool", ...command.split(" ")], { cwd })
  return "promtool accepts the configuration, and every alert is silent before and fires after what it is for"
}
