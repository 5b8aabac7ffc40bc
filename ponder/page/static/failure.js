// Why there is no answer: one line for people.

export class Failure extends Error {}
