/** The path of a name. It is not normalized, so that the file system resolves links and `..`. */
import { isAbsolute } from "node:path"

export const inFolder = (folder: string, name: string): string => {
  if (folder === "" || name === "" || isAbsolute(name)) return name
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`
}
