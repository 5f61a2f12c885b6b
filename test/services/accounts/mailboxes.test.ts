/** The mailbox that an address belongs to. */
import { SqlClient } from "effect/sql"
import { assert, layer } from "../../support/effects.ts"
import { testServices } from "../../support/services.ts"

layer(testServices())("a mailbox", (it) => {
  it.each([
    ["ada@example.org", "ada@example.org"],
    ["ada+1+2@example.org", "ada@example.org"],
    ["ada.b@example.org", "ada.b@example.org"],
    ["a.d.a+x.y@gmail.com", "ada@gmail.com"],
    ["a.da@googlemail.com", "ada@gmail.com"],
    ["a.da@gmail.com.example.org", "a.da@gmail.com.example.org"],
    ["a.da@mygmail.com", "a.da@mygmail.com"]
  ])("of %s is known", function* ([address, mailbox]) {
    const sql = yield* SqlClient.SqlClient
    assert.deepStrictEqual(yield* sql`SELECT mailbox_of(${address}) AS mailbox`, [{ mailbox }])
  })
})
