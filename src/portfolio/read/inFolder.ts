/** Where relative names start. Names are kept as they were given, because messages and results show them. */
import { isAbsolute } from "node:path"

/** The path of a name. Nothing is normalized: the file system resolves links and `..` itself. */
export const inFolder = (folder: string, name: string): string => {
  if (folder === "" || name === "" || isAbsolute(name)) return name
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`
}

/** Lines that show files by the names that they were given, not by their paths. */
export const withNames = (
  lines: ReadonlyArray<string>,
  folder: string,
  names: ReadonlyArray<string>
): ReadonlyArray<string> =>
  lines.map((line) =>
    names.reduce((text, name) => (name === "" ? text : text.replaceAll(inFolder(folder, name), name)), line)
  )
