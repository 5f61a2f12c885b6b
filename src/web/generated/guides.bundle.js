// src/web/guides.ts
/** The search of the guides: shows the pages and headings that contain every word. */
const search = document.querySelector("search");
const input = search.querySelector("input");
const status = search.querySelector("[role=status]");
const contents = document.querySelector("#contents");
const pages = [...contents.querySelectorAll("nav > ul > li")];
const filter = () => {
	const words = input.value.toLowerCase().split(/\s+/);
	const matches = (text) => words.every((word) => text.toLowerCase().includes(word));
	for (const page of pages) {
		const title = page.querySelector("a").textContent;
		const headings = [...page.querySelectorAll("li")];
		for (const heading of headings) heading.hidden = !matches(`${title} ${heading.textContent}`);
		page.hidden = !matches(title) && headings.every(({ hidden }) => hidden);
	}
	contents.open = true;
	const found = pages.filter(({ hidden }) => !hidden).length;
	status.textContent = found === 1 ? "1 page matches." : `${found} pages match.`;
};
input.addEventListener("input", filter);
search.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
search.hidden = false;
