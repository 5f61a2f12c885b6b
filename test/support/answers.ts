/** Assertions on answers: problem documents and UUIDs. */
import { expect } from "vitest"

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly errors?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly upgradeUrl?: string
  readonly email?: string
}

const MAX_PROBLEM_BYTES = 32 * 1024

/** Expects a problem document with this status and slug; resolves with it. */
export const expectProblem = async (response: Response, status: number, slug: string): Promise<Problem> => {
  const text = await response.text()
  expect([response.status, text]).toEqual([status, expect.stringContaining(`/problems/${slug}"`)])
  expect(response.headers.get("content-type")).toBe("application/problem+json")
  expect(text.length).toBeLessThan(MAX_PROBLEM_BYTES)
  const problem = JSON.parse(text) as Problem
  expect(problem).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) })
  expect(problem.instance).toBe(`urn:uuid:${response.headers.get("x-request-id")}`)
  return problem
}

export const expectUuid = (text: unknown): void => expect(text).toMatch(UUID)
