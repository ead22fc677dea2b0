(* Reads clauses (DIMACS) and the steps of a proof (LRAT), for what Refutations.v proves of them. *)
open Extracted

exception Bad of string

let numbers line =
  try List.map int_of_string (List.filter (fun word -> word <> "") (String.split_on_char ' ' line))
  with Failure _ -> raise (Bad (Printf.sprintf "This line isn't of numbers: %s." (String.escaped (if String.length line > 40 then String.sub line 0 40 else line))))

(* the numbers before the first 0, and those after it *)
let cut list =
  let rec go before = function
    | [] -> raise (Bad "A line doesn't end with 0.")
    | 0 :: after -> (List.rev before, after)
    | one :: after -> go (one :: before) after
  in
  go [] list

let literal number = (number > 0, abs number)
let positive number = if number > 0 then number else raise (Bad "A clause has a number above 0.")
let last (list, after) = if after = [] then list else raise (Bad "A line goes on after its 0.")
let lines text = List.filter (fun line -> line <> "") (String.split_on_char '\n' text)

(* each clause on a line of its own, numbered from 1 *)
let clauses text =
  let is_clause line = line.[0] <> 'c' && line.[0] <> 'p' in
  List.mapi (fun i line -> (i + 1, List.map literal (last (cut (numbers line))))) (List.filter is_clause (lines text))

let step line =
  match String.index_opt line 'd' with
  | Some at -> Delete (List.map positive (last (cut (numbers (String.sub line (at + 1) (String.length line - at - 1))))))
  | None -> (
      match numbers line with
      | [] -> raise (Bad "A line is empty.")
      | number :: rest ->
          let clause, reasons = cut rest in
          Add (positive number, List.map literal clause, List.map positive (last (cut reasons))))

(* whether the proof shows that the clauses can't all be true *)
let refutes ~cnf ~lrat = Refute.refutes (Refute.number_all (clauses cnf)) (List.map step (lines lrat))
