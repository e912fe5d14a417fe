// Package model answers the console's calls through a language model: any server
// that speaks the OpenAI chat-completions API.
//
// The model is asked for one envelope, by JSON Schema where the server can, by JSON
// mode or by words alone where it cannot. What it writes is validated as the console
// validates it; if something is wrong with it, the model is told once what, and gets
// one try to repair it. What is valid then is used.
//
// What a host printed goes in as data, between marks with a random word that the
// text cannot know, and the model is told not to follow what stands there. That helps
// and is no guarantee: a model can be talked into things. What it suggests is still
// judged by policy and sent by a person or not at all.
//
// The model is called for chat messages and for commands that ended. The console
// waits five seconds for the answer to a command; a slower one is kept and given with
// the next call. Output alone calls no model. If the model fails, the runbooks answer,
// and say so.
package model
