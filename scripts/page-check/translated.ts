/**
 * The check of the start page in a browser that translates it: after each edit it shows what the
 * same edits show on an untouched page, and the engine's figures, whatever a translator did to it.
 */
import type { Browser, Page } from "playwright-core"
import { dollars, wholeDollars } from "../../src/messages/figures.ts"
import { compute, exampleDraft } from "../../src/web/index.ts"
import { but, expect, rested, settled, WITHIN_MILLIS, watch, withExample } from "./support.ts"

/**
 * Chrome wraps texts, other translators merge those of a sentence or edit them. Extensions wrap fields, and put copies
 * of blocks, of a plot or of the whole page in their place, or beside them.
 */
const WAYS = [
  "wraps",
  "splits",
  "moves",
  "merges",
  "edits",
  "reorders",
  "wraps fields",
  "wraps all that comes",
  "copies",
  "copies inside",
  "copies beside",
  "copies all"
] as const
type Way = (typeof WAYS)[number]

/** Does to the page what a translator does, but for the words. */
const translate = (page: Page, way: Way): Promise<void> =>
  page.evaluate((way) => {
    const root = document.querySelector("#app")!
    const blockOf = (text: Text) => text.parentElement!.closest(":not(a,b,button,data,font,i,small,span,tspan)")!
    const font = (...children: ReadonlyArray<Node | string>) => {
      const made = document.createElement("font")
      made.append(...children)
      return made
    }
    const foundIn = (node: Node): ReadonlyArray<Text> => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      const found: Array<Text> = []
      while (walker.nextNode()) found.push(walker.currentNode as Text)
      return found.filter((text) => text.data.trim() !== "" && text.parentElement!.localName !== "font")
    }
    const wrapAll = () => {
      for (const text of foundIn(root)) text.replaceWith(font(font(text.data)))
    }
    const sentences = Map.groupBy(foundIn(root), blockOf)
    switch (way) {
      case "wraps":
        return wrapAll()
      case "splits":
        for (const text of foundIn(root)) text.replaceWith(...text.data.split(/(?<= )/).map((word) => font(font(word))))
        return undefined
      case "moves":
        for (const text of foundIn(root)) {
          const wrapper = font()
          text.before(wrapper)
          wrapper.append(text)
        }
        return undefined
      case "merges":
      case "edits":
        for (const texts of sentences.values()) {
          const whole = texts.map(({ data }) => data).join("")
          if (way === "merges") {
            texts[0]!.before(whole)
            for (const text of texts) text.remove()
          } else for (const text of texts) text.data = text === texts[0] ? whole : ""
        }
        return undefined
      case "reorders":
        for (const [block, texts] of sentences)
          if (texts.length > 1 && block.querySelector("input,select,button") === null)
            block.append(...[...block.childNodes].reverse())
        return wrapAll()
      case "wraps fields": {
        const focused = document.activeElement
        for (const field of root.querySelectorAll("input[type=text]")) {
          const wrapper = font()
          wrapper.style.display = "contents"
          field.before(wrapper)
          wrapper.append(field)
        }
        return (focused as HTMLElement).focus()
      }
      case "wraps all that comes": {
        if (document.querySelector("#app font") === null)
          new MutationObserver(wrapAll).observe(root, { childList: true, characterData: true, subtree: true })
        return wrapAll()
      }
      case "copies":
      case "copies inside":
      case "copies beside":
        for (const block of root.querySelectorAll("p, dl, dd, ol, li, svg, .big")) {
          if (block.querySelector("a, button, details, input, select") !== null) continue
          if (way === "copies") block.replaceWith(block.cloneNode(true))
          else if (way === "copies inside") block.innerHTML = `${block.innerHTML}`
          else if (block.matches(".answer :not(font *)")) block.after(font(block.cloneNode(true)))
        }
        return undefined
      case "copies all":
        document.body.innerHTML = `${document.body.innerHTML}`
        return undefined
    }
  }, way)

/** The text of each sentence, cell and word of a plot. */
const shown = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("#app")!, NodeFilter.SHOW_TEXT)
    const texts = new Map<Element, string>()
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode as Text
      const block = parentElement!.closest(":not(a,b,button,data,font,i,small,span,tspan)")!
      texts.set(block, (texts.get(block) ?? "") + data.replaceAll(/\s/g, ""))
    }
    return [...texts].flatMap(([{ localName }, text]) => (text === "" ? [] : [`${localName} ${text}`]))
  })

type Disturb = () => Promise<void>

/** A digit in the middle of what was typed: the field keeps focus, caret and place on the screen. */
const typeDigit = async (page: Page, disturb: Disturb): Promise<void> => {
  const state = () =>
    page.locator("#income").evaluate((field) => ({
      caret: (field as HTMLInputElement).selectionStart,
      isFocused: field === document.activeElement,
      top: Math.round(field.closest(".input")!.getBoundingClientRect().top)
    }))
  await page.locator("#income").fill("2000")
  await settled(page)
  await page.locator("#income").evaluate((field) => (field as HTMLInputElement).setSelectionRange(1, 1))
  await disturb()
  const { top } = await state()
  await page.keyboard.press("5")
  await settled(page)
  const now = await state()
  if (now.caret !== 2 || !now.isFocused || now.top !== top)
    throw new Error(`the field moved: from ${top}, ${JSON.stringify(now)}`)
}

/** Makes every disclosure be seen, so that all that may change is on the page. */
const openAll = async (page: Page): Promise<void> => {
  await page.locator("details").evaluateAll((all) => {
    for (const one of all as Array<HTMLDetailsElement>) one.open = true
  })
  await page.locator(".data tbody tr").first().waitFor({ state: "attached", timeout: WITHIN_MILLIS })
}

const press =
  (selector: string, index = 0) =>
  (page: Page) =>
    page.locator(selector).nth(index).dispatchEvent("click")
const type = (selector: string, text: string) => (page: Page) => page.locator(selector).fill(text)

type Edit = (page: Page, disturb: Disturb) => Promise<unknown>

/** Of the card of loans: the example or clear everything, then undo. */
const LAST_ROW = "[aria-labelledby=loans] > .row:last-child"

/** What is done to both pages, by what changes; in this order. */
const EDITS: Readonly<Record<string, Edit>> = {
  "every figure": typeDigit,
  "a message for figures": type("#dependents", "31"),
  "figures for a message": type("#dependents", "1"),
  "what more a month does": type("#extra", "100"),
  "the goal": press(".pick input"),
  "the order": (page) => page.locator(".plans select").selectOption("soonest"),
  "the plot of what is owed": press("input[name=view]", 1),
  "the plot of totals": press("input[name=view]", 2),
  "an explanation": press("li.plan button.fig"),
  "the explanation of another figure": press(".others button"),
  "no explanation": press("dialog header button"),
  "two returns": press("input[name=filing]", 2),
  "a spouse's income": type("#spouseIncome", "30,000"),
  "no loans": press(`${LAST_ROW} > button:first-of-type`),
  "the loans again": press(`${LAST_ROW} > button:last-of-type`)
}

const settle = async (page: Page): Promise<void> => {
  await rested(page)
  for (const passing of ["dialog .said[role=status]", "dialog:not([open])"])
    await page.locator(passing).waitFor({ state: "detached", timeout: WITHIN_MILLIS })
}

const opened = async (browser: Browser, base: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(`${base}/`)
  await withExample(page)
  await openAll(page)
  return page
}

/** Expects the engine's figures of the example with another income. */
const checkFigures = async (page: Page, typed: string): Promise<void> => {
  const outcome = compute({ ...exampleDraft, household: { ...exampleDraft.household, income: typed } }, new Date())
  if (outcome._tag !== "Answered") throw new Error("the example has no answer")
  const rows = outcome.answer.lines.map(({ cost, figures, highestPayment }) => [
    figures.firstMonthPayment,
    highestPayment,
    figures.totalOutOfPocket,
    figures.amountForgiven,
    figures.forgivenessTaxesOwed,
    cost
  ])
  const wanted = rows.map((row) => row.map(dollars).join(" ")).sort()
  const printed = await page.locator(".printed tbody tr").evaluateAll((all) =>
    all.map((row) =>
      [...row.children]
        .slice(1, -1)
        .map((cell) => cell.textContent)
        .join(" ")
    )
  )
  const others = printed.sort().filter((row, index) => row !== wanted[index])
  expect(printed.length === rows.length && others.length === 0, `the engine's figures to be printed${but(others)}`)
  const worth = await page
    .locator("data")
    .evaluateAll((all) => all.map((one) => [Number((one as HTMLDataElement).value), one.textContent] as const))
  const wrong = worth.filter(([value, text]) => text !== wholeDollars(value) && text !== dollars(value))
  expect(worth.length > 0 && wrong.length === 0, `every amount to be what it is worth${but(wrong.map(String))}`)
}

const edited = async (page: Page, edit: Edit, disturb: Disturb): Promise<ReadonlyArray<string>> => {
  await disturb()
  await edit(page, disturb)
  await settle(page)
  return shown(page)
}

/** What is typed into a copy counts; a button of a copy brings back the page's own, and has to be pressed again. */
const editedCopy = async (page: Page, edit: Edit): Promise<ReadonlyArray<string>> => {
  await edited(page, edit, () => translate(page, "copies all"))
  return edited(page, edit, async () => undefined)
}

export const checkTranslated = async (browser: Browser, base: string): Promise<void> => {
  const untouched = await opened(browser, base)
  const wanted: Array<ReadonlyArray<string>> = []
  for (const edit of Object.values(EDITS)) {
    wanted.push(await edited(untouched, edit, async () => undefined))
    if (edit === typeDigit) await checkFigures(untouched, "25000")
  }
  expect(
    (await untouched.locator(".plot svg:not([translate=no])").count()) === 0,
    "a translator to leave the words of a plot, where it asks"
  )
  for (const way of WAYS) {
    const page = await opened(browser, base)
    const { complaints } = watch(page)
    const written = (texts: ReadonlyArray<string>) => {
      if (way === "reorders") return texts.map((text) => [...text].sort().join("")).sort()
      return way === "copies beside" ? [...new Set(texts)] : texts
    }
    for (const [index, [what, edit]] of Object.entries(EDITS).entries()) {
      const now = written(
        way === "copies all"
          ? await editedCopy(page, edit === typeDigit ? type("#income", "25000") : edit)
          : await edited(page, edit, () => translate(page, way))
      )
      const then = written(wanted[index]!)
      const others = now.filter((text, at) => text !== then[at])
      expect(
        now.length === then.length && others.length === 0,
        `${way}, ${what}: what an untouched page shows${but(others)}`
      )
    }
    if (way === "wraps")
      expect((await page.locator("label[for=income] font").count()) > 0, "what did not change to stay translated")
    expect(complaints.length === 0, `${way}: no complaint of the browser${but(complaints)}`)
    await page.close()
  }
}
