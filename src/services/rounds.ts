/**
 * The rounds of the event loop. Node accepts one connection a round, however many wait, so that whoever works for some
 * milliseconds in every round keeps newcomers out: while they come one upon the other, rounds are to be short. State of the
 * process, as its event loop is. Knows neither what comes nor what the work is.
 */

/** Rounds for which a piece of work is put off: more, and newcomers would keep those out who are in. */
const MAX_PUT_OFF = 32

let unheard = 0

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

/** Whether somebody was accepted and not heard yet: then others may wait behind him. */
export const newcomersCome = (): boolean => unheard > 0

/** Begins a piece of work once the process has looked after everything else, and let in who comes. */
export const inQuietRound = (work: () => void, putOff = 0): void =>
  void setImmediate(() => {
    if (newcomersCome() && putOff < MAX_PUT_OFF) inQuietRound(work, putOff + 1)
    else work()
  })
