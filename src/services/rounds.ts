/**
 * The rounds of the event loop. Node accepts one connection a round, however many wait, so that whoever works in every round
 * keeps newcomers out. Work of some milliseconds is therefore begun here, and not while newcomers come one upon the other.
 * State of the process, as its event loop is. Knows neither what comes nor what the work is.
 */

/** Rounds in a row in which work is put off for newcomers: more, and they would keep those out who are in. */
const MAX_PUT_OFF = 32

const waiting = new Set<() => void>()
let putOff = 0
let unheard = 0

const round = (): void => {
  if (unheard > 0 && putOff < MAX_PUT_OFF) {
    putOff++
    return void setImmediate(round)
  }
  putOff = 0
  const works = [...waiting]
  waiting.clear()
  for (const work of works) work()
}

/** Begins work once the process has looked after everything else. What waits already is not begun twice. */
export const inNextRound = (work: () => void): void => {
  if (waiting.size === 0) setImmediate(round)
  waiting.add(work)
}

/** Runs what follows when a newcomer could be heard: this round accepts him, the next one reads what he has sent. */
export const onceHeard = (run: () => void): void => {
  unheard++
  setImmediate(() =>
    setImmediate(() => {
      unheard--
      run()
    })
  )
}
