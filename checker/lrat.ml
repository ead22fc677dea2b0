(* Reads clauses (DIMACS) and the steps of a proof (LRAT), for what Refutations.v proves of them. *)
open Extracted
module List = Stdlib.List
module Option = Stdlib.Option

exception Bad of string  (* it can't be read *)
exception Rat  (* a step follows in a way that isn't checked here *)

let is_blank c = c = ' ' || ('\t' <= c && c <= '\r')

(* Gives one word between blanks after another, and then None; of lines that begin with one of the letters `without`, there are none. *)
let words ~without text =
  let length = String.length text and at = ref 0 in
  let is_line_end i = text.[i] = '\n' || text.[i] = '\r' in
  let begins_line i = i = 0 || is_line_end (i - 1) in
  let rec next () =
    while !at < length && is_blank text.[!at] do incr at done;
    if !at = length then None
    else if begins_line !at && String.contains without text.[!at] then (
      while !at < length && not (is_line_end !at) do incr at done;
      next ())
    else
      let from = !at in
      while !at < length && not (is_blank text.[!at]) do incr at done;
      Some (String.sub text from (!at - from))
  in
  next

let number word =
  let is_digit c = '0' <= c && c <= '9' in
  let digits = if word <> "" && word.[0] = '-' then String.sub word 1 (String.length word - 1) else word in
  let is_plain = String.for_all is_digit digits && (word = "0" || not (String.starts_with ~prefix:"0" digits)) in
  match if is_plain then int_of_string_opt word else None with
  | Some number -> number
  | None -> raise (Bad (Printf.sprintf "This is no number: %s." (String.escaped (if String.length word > 40 then String.sub word 0 40 else word))))

(* the numbers before the next 0, after those that were read already *)
let rec cut next before =
  match Option.map number (next ()) with
  | None -> raise (Bad "It doesn't end with 0.")
  | Some 0 -> List.rev before
  | Some one -> cut next (one :: before)

let literal number = (number > 0, abs number)
let positive number = if number > 0 then number else raise (Bad "A clause has a number above 0.")
let reason number = if number < 0 then raise Rat else number

(* each clause up to its 0, numbered from 1 *)
let clauses text =
  let next = words ~without:"cp" text in
  let rec go count found =
    match next () with
    | None -> List.rev found
    | Some "0" -> go (count + 1) ((count, []) :: found)
    | Some word -> go (count + 1) ((count, List.map literal (cut next [ number word ])) :: found)
  in
  go 1 []

let steps text =
  let next = words ~without:"c" text in
  let step name =
    match next () with
    | Some "d" -> Delete (List.map positive (cut next []))
    | Some "0" -> Add (name, [], List.map reason (cut next []))
    | Some word ->
        let clause = List.map literal (cut next [ number word ]) in
        Add (name, clause, List.map reason (cut next []))
    | None -> raise (Bad "It doesn't end with 0.")
  in
  let rec go found = match next () with None -> List.rev found | Some name -> go (step (positive (number name)) :: found) in
  go []

(* whether the steps show that the clauses can't all be true *)
let refute clauses steps = Refute.refutes (Refute.number_all clauses) steps
