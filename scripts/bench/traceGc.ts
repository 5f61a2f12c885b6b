/** Imported by a server that is measured: has V8 tell of each garbage collection on standard output. */
import { setFlagsFromString } from "node:v8"

setFlagsFromString("--trace-gc")
