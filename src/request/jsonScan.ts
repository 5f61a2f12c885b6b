/**
 * One linear pass over the text of a body before JSON.parse: the grammar of RFC 8259, and the limits that JSON.parse
 * does not have (depth, members, duplicate names, lone surrogates). Text that passes cannot make JSON.parse throw or a
 * decoder recurse deeply. It builds no values, and its messages repeat nothing of the text but
 * field names. Decision 0010 says why it checks the grammar, too.
 */
import { type JsonBounds, REQUEST_BOUNDS } from "../../schema/bounds.ts"
import { fieldPath, WHOLE_BODY } from "./fieldPath.ts"

const MAX_MEMBERS = 128
const MAX_ELEMENTS = 4096
/** The bits of a number in bitwise operations. */
const BITS = 32

export interface ScanProblem {
  readonly path: string
  readonly message: string
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const PLUS = 0x2b
const DOT = 0x2e
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const LOWER_U = 0x75
const BYTE_ORDER_MARK = 0xfeff

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const hexDigit = (code: number): number | undefined => {
  if (isDigit(code)) return code - 0x30
  const letter = (code | 0x20) - 0x61
  return letter >= 0 && letter < 6 ? letter + 10 : undefined
}
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
/** Characters that may follow a backslash, apart from u: " \ / b f n r t. */
const ESCAPES = new Set([QUOTE, BACKSLASH, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74])

class Scanner {
  private readonly text: string
  private readonly bounds: JsonBounds
  private at = 0
  private values = 0
  private objects = 0
  private escapes = 0
  /** The distinct names, by index. They are limited, because each new name costs JSON.parse much time. */
  private readonly names: Array<string> = []
  private readonly places = new Map<string, number>()
  /** By name: the index of the name that last followed it. Loans repeat names in one order. */
  private readonly following: Array<number> = []
  private last = 0
  private readonly path: Array<string | number> = []
  problem: ScanProblem | undefined

  constructor(text: string, bounds: JsonBounds) {
    this.text = text
    this.bounds = bounds
  }

  /** True when the whole text is one acceptable JSON value; otherwise `problem` says why not. */
  run(): boolean {
    if (this.text.charCodeAt(0) === BYTE_ORDER_MARK) {
      return this.refuse("begins with a byte order mark; send UTF-8 without one")
    }
    this.skipSpace()
    if (this.at === this.text.length) return this.refuse("is required: send a JSON object")
    if (!this.value(0)) return false
    this.skipSpace()
    return this.at === this.text.length || this.malformed()
  }

  private skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++
  }

  private refuse(message: string, path: string = WHOLE_BODY): false {
    this.problem ??= { path, message }
    return false
  }

  private where(): string {
    let line = 1
    let start = 0
    for (let end = this.text.indexOf("\n"); end >= 0 && end < this.at; end = this.text.indexOf("\n", start)) {
      line++
      start = end + 1
    }
    return `line ${line}, column ${this.at - start + 1}`
  }

  private malformed(): false {
    const what = this.at >= this.text.length ? "the text ends too early" : "unexpected character"
    return this.refuse(`is not valid JSON: ${what} at ${this.where()}`)
  }

  private value(depth: number): boolean {
    if (++this.values > this.bounds.values) return this.refuse(`holds more than ${this.bounds.values} values`)
    const code = this.text.charCodeAt(this.at)
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (depth === this.bounds.depth) {
        return this.refuse(`is nested more than ${this.bounds.depth} deep at ${this.where()}`)
      }
      return code === OPEN_BRACE ? this.object(depth + 1) : this.array(depth + 1)
    }
    if (code === QUOTE) return this.string()
    if (code === MINUS || isDigit(code)) return this.boundedNumber()
    return this.word("true") || this.word("false") || this.word("null") || this.malformed()
  }

  private word(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  private object(depth: number): boolean {
    if (++this.objects > this.bounds.objects) return this.refuse(`holds more than ${this.bounds.objects} objects`)
    if (this.isEmpty(CLOSE_BRACE)) return true
    /** The indexes of this object's names: the first ones as bits, the others as a set. */
    let first = 0
    let others: Set<number> | undefined
    let members = 0
    do {
      const place = this.name()
      if (place === undefined) return false
      this.path.push(this.names[place]!)
      const isRepeated = place < BITS ? (first & (1 << place)) !== 0 : others?.has(place) === true
      if (isRepeated) return this.refuse("is sent more than once; send it once", fieldPath(this.path))
      if (++members > MAX_MEMBERS) {
        return this.refuse(`has an object of more than ${MAX_MEMBERS} members at ${this.where()}`)
      }
      if (this.names.length > this.bounds.names) {
        return this.refuse(`has more than ${this.bounds.names} different names`)
      }
      if (place < BITS) first |= 1 << place
      else others = (others ?? new Set()).add(place)
      this.skipSpace()
      if (this.text.charCodeAt(this.at) !== COLON) return this.malformed()
      this.at++
      this.skipSpace()
      if (!this.value(depth)) return false
      this.path.pop()
    } while (this.goesOn(CLOSE_BRACE))
    return this.problem === undefined
  }

  private array(depth: number): boolean {
    if (this.isEmpty(CLOSE_BRACKET)) return true
    let index = 0
    do {
      if (index === MAX_ELEMENTS) {
        return this.refuse(`has an array of more than ${MAX_ELEMENTS} elements at ${this.where()}`)
      }
      this.path.push(index++)
      if (!this.value(depth)) return false
      this.path.pop()
    } while (this.goesOn(CLOSE_BRACKET))
    return this.problem === undefined
  }

  /** Skips the opening bracket, and the closing one if the brackets are empty. */
  private isEmpty(close: number): boolean {
    this.at++
    this.skipSpace()
    if (this.text.charCodeAt(this.at) !== close) return false
    this.at++
    return true
  }

  /** Skips the comma before another item, or the closing bracket. */
  private goesOn(close: number): boolean {
    this.skipSpace()
    const code = this.text.charCodeAt(this.at)
    if (code !== COMMA && code !== close) return this.malformed()
    this.at++
    if (code === close) return false
    this.skipSpace()
    return true
  }

  /** The index of a member's name, unescaped. First compares the likely name, which needs no slice. */
  private name(): number | undefined {
    const start = this.at
    if (this.text.charCodeAt(start) !== QUOTE) {
      this.malformed()
      return undefined
    }
    const likely = this.following[this.last]
    if (likely !== undefined && this.isName(likely)) return likely
    const { escapes } = this
    if (!this.string()) return undefined
    const isPlain = this.escapes === escapes
    const name = isPlain ? this.text.slice(start + 1, this.at - 1) : String(JSON.parse(this.text.slice(start, this.at)))
    const place = this.places.get(name) ?? this.names.push(name) - 1
    this.places.set(name, place)
    if (isPlain) this.following[this.last] = place
    this.last = place
    return place
  }

  /** Whether this name comes next; if so, skips it. The name must have been sent without escapes. */
  private isName(place: number): boolean {
    const name = this.names[place]!
    const end = this.at + 1 + name.length
    if (this.text.charCodeAt(end) !== QUOTE || !this.text.startsWith(name, this.at + 1)) return false
    this.at = end + 1
    this.last = place
    return true
  }

  /** Uses a local index, for speed, because most characters of a body are in its strings. */
  private string(): boolean {
    const { text } = this
    let at = this.at + 1
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.at = at + 1
        return true
      }
      if (code === BACKSLASH) {
        this.at = at
        if (!this.escape()) return false
        at = this.at
      } else if (code >= 0x20) at++
      else {
        this.at = at
        return this.malformed()
      }
    }
  }

  private escape(): boolean {
    if (++this.escapes > this.bounds.escapes) return this.refuse(`holds more than ${this.bounds.escapes} escapes`)
    this.at++
    const code = this.text.charCodeAt(this.at)
    if (ESCAPES.has(code)) {
      this.at++
      return true
    }
    if (code !== LOWER_U) return this.malformed()
    const unit = this.codeUnit(this.at + 1)
    if (unit === undefined) return this.malformed()
    this.at += 5
    if (unit < 0xd800 || unit > 0xdfff) return true
    const low = this.text.startsWith("\\u", this.at) ? this.codeUnit(this.at + 2) : undefined
    if (unit > 0xdbff || low === undefined || low < 0xdc00 || low > 0xdfff) {
      return this.refuse(`holds half of a surrogate pair at ${this.where()}`)
    }
    this.at += 6
    return true
  }

  private codeUnit(start: number): number | undefined {
    let unit = 0
    for (let at = start; at < start + 4; at++) {
      const digit = hexDigit(this.text.charCodeAt(at))
      if (digit === undefined) return undefined
      unit = unit * 16 + digit
    }
    return unit
  }

  private digits(): boolean {
    const start = this.at
    while (isDigit(this.text.charCodeAt(this.at))) this.at++
    return this.at > start
  }

  private boundedNumber(): boolean {
    const start = this.at
    const most = this.bounds.numberCharacters
    return this.number() && (this.at - start <= most || this.refuse(`has a number of more than ${most} characters`))
  }

  private number(): boolean {
    if (this.text.charCodeAt(this.at) === MINUS) this.at++
    const leading = this.text.charCodeAt(this.at)
    if (leading === 0x30) this.at++
    else if (!this.digits()) return this.malformed()
    if (this.text.charCodeAt(this.at) === DOT) {
      this.at++
      if (!this.digits()) return this.malformed()
    }
    const exponent = this.text.charCodeAt(this.at)
    if (exponent !== 0x65 && exponent !== 0x45) return true
    this.at++
    const sign = this.text.charCodeAt(this.at)
    if (sign === PLUS || sign === MINUS) this.at++
    return this.digits() || this.malformed()
  }
}

/** The fault of a body's text, or undefined. The schemas check its fields. */
export const scanJson = (text: string, bounds: JsonBounds = REQUEST_BOUNDS): ScanProblem | undefined => {
  const scanner = new Scanner(text, bounds)
  return scanner.run() ? undefined : scanner.problem
}
