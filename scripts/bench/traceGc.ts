/**
 * A preload module for measured servers: makes V8 print each garbage collection to standard output.
 */
import { setFlagsFromString } from "node:v8"

setFlagsFromString("--trace-gc")
