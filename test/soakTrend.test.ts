/** Tests of the soak's trend: growth is distinguished from spikes. */
import { describe, expect, it } from "vitest"
import { Lateness } from "../scripts/soak/lateness.ts"
import { MEASURES, type Measure, type Sample, trendsOf } from "../scripts/soak/trend.ts"

const FLAT = Object.fromEntries(Object.keys(MEASURES).map((measure) => [measure, 100])) as Record<Measure, number>

/** An hour, sampled every minute. */
const hour = (of: (minute: number) => Partial<Record<Measure, number | null>>): ReadonlyArray<Sample> =>
  Array.from({ length: 60 }, (_, minute) => ({ seconds: minute * 60, ...FLAT, ...of(minute) }))

const growing = (samples: ReadonlyArray<Sample>) =>
  trendsOf(samples).flatMap(({ isFlat, measure }) => (isFlat ? [] : [measure]))

describe("a soak [F56]", () => {
  it("accepts values that stay, fall or spike now and then", () => {
    expect(growing(hour(() => ({})))).toEqual([])
    expect(growing(hour((minute) => ({ residentMiB: 400 - minute, p99: minute % 7 === 0 ? 5000 : 40 })))).toEqual([])
  })

  it("accepts values that grow only at first", () => {
    expect(growing(hour((minute) => ({ heapMiB: Math.min(90, 60 + 2 * minute) })))).toEqual([])
  })

  it("names each value that grows by more than allowed, despite noise", () => {
    const noise = (minute: number) => ((minute * 7919) % 13) - 6
    expect(growing(hour((minute) => ({ residentMiB: 200 + minute + noise(minute) })))).toEqual(["residentMiB"])
    expect(growing(hour((minute) => ({ descriptors: 60 + minute, connections: 8 + minute / 6 })))).toEqual([
      "descriptors",
      "connections"
    ])
  })

  it("ignores unknown values and rejects too few samples", () => {
    expect(growing(hour((minute) => ({ p99: minute < 58 ? null : 1000 * minute })))).toEqual([])
    const mostlyBusy = hour((minute) => ({ p99: minute < 52 ? null : 20 * minute }))
    expect(growing(mostlyBusy)).toEqual([])
    expect(growing(hour((minute) => ({ p99: minute % 2 === 0 ? null : 20 * minute })))).toEqual(["p99"])
    expect(() => trendsOf(hour(() => ({})).slice(0, 6))).toThrow("too few samples")
  })
})

describe("the lateness of a stopped process [F56]", () => {
  const TICK = 20
  const tickingUntil = (lateness: Lateness, from: number, until: number) => {
    for (let now = from; now <= until; now += TICK) lateness.tick(now)
  }

  it("is the time for which it was stopped, and no other", () => {
    const lateness = new Lateness(TICK, 0)
    tickingUntil(lateness, TICK, 10_000)
    expect(lateness.within(15_000, 10_000)).toBe(0)
    tickingUntil(lateness, 17_000, 20_000)
    expect(lateness.within(15_000, 20_000)).toBe(7000 - TICK)
    tickingUntil(lateness, 20_000 + TICK, 33_000)
    expect(lateness.within(15_000, 33_000)).toBe(0)
  })

  it("includes many short stops, and the one in progress", () => {
    const lateness = new Lateness(TICK, 0)
    for (let now = 1000; now <= 8000; now += 1000) lateness.tick(now)
    expect(lateness.within(15_000, 9000)).toBe(9 * (1000 - TICK))
  })
})
