// What went wrong, as a sentence for the visitor: what happened, to what, what to do.

export class Complaint extends Error {}

export function sentenceOf(error) {
  if (error instanceof Complaint) return error.message;
  return `Something went wrong (${error?.message || error}); reload the page.`;
}
