// Package review reads logs for people who look into what happened: data, no
// drawing. What it gives was written by operators, hosts, copilots and
// agents; whoever shows it on a terminal makes it safe first.
//
// It believes the lines as they stand. Whether they are what their writer
// wrote is for package verify to say.
package review
