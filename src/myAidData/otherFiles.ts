/** What people choose by mistake, told by how it begins, so that they are told what it is. */
import type { OtherFile } from "./result.ts"

/** A page may have comments before its first mark. */
const BEGINNING = 1024

export const otherFileOf = (text: string): OtherFile | null => {
  const beginning = text.slice(0, BEGINNING).trim().toLowerCase()
  if (beginning === "" && text.trim() === "") return "empty"
  if (beginning.startsWith("%pdf-")) return "pdf"
  if (text.startsWith("PK\u0003\u0004")) return "zip"
  return beginning.startsWith("<") && /<!doctype html|<html/.test(beginning) ? "web-page" : null
}
