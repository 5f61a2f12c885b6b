"""What a stranger writes in Python with nothing but the standard library and the document: where the service is, how a
key is sent and what is asked and answered are all read from it."""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

WAIT_SECONDS = 20
HTTP_OK = 200


def fetch(url, method="GET", headers=None, body=None):
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=WAIT_SECONDS) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.load(refusal)


document_url, api_key = sys.argv[1:]
_, document = fetch(document_url)
SERVER = urllib.parse.urljoin(document_url, document["servers"][0]["url"])
SCHEME = document["components"]["securitySchemes"]["apiKey"]
OPERATIONS = {
    operation["operationId"]: (path, method, operation)
    for path, methods in document["paths"].items()
    for method, operation in methods.items()
}


def resolved(schema):
    name = schema.get("$ref", "").removeprefix("#/components/schemas/")
    return document["components"]["schemas"][name] if name else schema


def example_of(operation_id):
    content = OPERATIONS[operation_id][2]["requestBody"]["content"]["application/json"]
    return json.loads(json.dumps(content["examples"]["example"]["value"]))


def call(operation_id, body=None, **parameters):
    """The status and the body, which holds what the document requires of it."""
    path, method, operation = OPERATIONS[operation_id]
    headers = {SCHEME["name"]: api_key} if operation["security"] else {}
    url = urllib.parse.urljoin(SERVER, path.format(**parameters))
    status, answer = fetch(url, method.upper(), headers, body)
    kind = "application/json" if status == HTTP_OK else "application/problem+json"
    schema = resolved(operation["responses"][str(status)]["content"][kind]["schema"])
    for variant in schema.get("anyOf", [schema]):
        if all(name in answer for name in resolved(variant).get("required", [])):
            return status, answer
    raise SystemExit(f"{operation_id} {status} lacks what the document requires")


asked = example_of("runProjection")
_, answer = call("runProjection", asked)

scenario = {**asked["scenario"], "label": "typed"}
standard = {**scenario, "planType": "STANDARD", "label": "standard"}
arms = [{"scenario": one, "loans": asked["loans"]} for one in (scenario, standard)]
_, compared = call("compareScenarios", {"arms": arms})

parent_plus = [{**loan, "loanType": "DIRECT PLUS PARENT"} for loan in asked["loans"]]
status, refusal = call("runProjection", {**asked, "loans": parent_plus})

provenance = answer["provenance"]
_, record = call("verifyAnswer", answerId=provenance["answerId"])

print(
    json.dumps(
        {
            "payment": answer["year1MonthlyPayment"],
            "cheapest": compared["lowestCostLabel"],
            "refused": f"{status} {refusal['title']}",
            "verified": all(record[name] == provenance[name] for name in ("answerId", "ruleVersion")),
        }
    )
)
