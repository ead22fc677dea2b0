(* The reasons of a SAT solver's proof (DRUP): for each of its clauses those that it follows from, by unit propagation.

   Each line of the proof is a clause that follows from those before, or `d` and a clause to delete, and ends with 0. No variable stands
   twice in a clause. The last clause is empty. What is found here needn't be trusted: Refutations.v checks it. *)
open Extracted
module List = Stdlib.List
module Option = Stdlib.Option

exception Bad of string  (* the proof doesn't hold *)

(* Integers in a row that grows. *)
type row = { mutable all : int array; mutable size : int }

let push row (x : int) =
  if row.size = Array.length row.all then (
    let longer = Array.make (max 4 (2 * row.size)) 0 in
    Array.blit row.all 0 longer 0 row.size;
    row.all <- longer);
  row.all.(row.size) <- x;
  row.size <- row.size + 1

(* Literals are 2x where variable x is true and 2x + 1 where it is false. *)
let coded number = if number > 0 then 2 * number else (2 * -number) + 1
let as_literal code = (code land 1 = 0, code / 2)

type line = Added of int array | Deleted of int array

let read most number text =
  let bad () = raise (Bad (Printf.sprintf "Line %d of the proof isn't a clause." number)) in
  let is_gone = String.length text > 1 && String.sub text 0 2 = "d " in
  let text = if is_gone then String.sub text 2 (String.length text - 2) else text in
  let integer word =
    match int_of_string_opt word with
    | Some k when string_of_int k = word -> Some k
    | _ -> None (* such as 007, 0x7, 1_0 and -0 *)
  in
  let literal word =
    match integer word with
    | Some k when k <> 0 && abs k <= most -> coded k
    | _ -> bad ()
  in
  let rec cut = function
    | [ last ] when integer last = Some 0 -> []
    | word :: rest -> literal word :: cut rest
    | [] -> bad ()
  in
  let literals = cut (String.split_on_char ' ' text) in
  let variable code = code / 2 in
  if List.compare_lengths (List.sort_uniq compare (List.map variable literals)) literals < 0 then bad ();
  if is_gone then Deleted (Array.of_list literals) else Added (Array.of_list literals)

let lines text =
  match List.rev (String.split_on_char '\n' text) with "" :: before -> List.rev before | all -> List.rev all

type proof = {
  clauses : int array array;  (* the given ones first, the empty one last; the first two literals of each are watched *)
  reasons : int array array;  (* of each clause, in the order in which they are used *)
  is_gone : bool array;
  mutable num : int;  (* clauses up to now *)
  value : int array;  (* of each literal: 1 true, -1 false *)
  reason : int array;  (* the clause that made a variable what it is, or -1 *)
  trail : row;  (* the literals that are true, in the order in which they became so *)
  watchers : row array;  (* of each literal, the clauses *)
  is_met : bool array;
}

let set p literal clause =
  p.value.(literal) <- 1;
  p.value.(literal lxor 1) <- -1;
  p.reason.(literal / 2) <- clause;
  push p.trail literal

(* Makes all literals true that follow, from number `from` on; gives a clause that is false then, or -1. *)
let propagate p from =
  let next = ref from and conflict = ref (-1) in
  while !conflict < 0 && !next < p.trail.size do
    let is_false = p.trail.all.(!next) lxor 1 in
    incr next;
    let watching = p.watchers.(is_false) in
    let kept = ref 0 in
    let keep clause =
      watching.all.(!kept) <- clause;
      incr kept
    in
    for i = 0 to watching.size - 1 do
      let clause = watching.all.(i) in
      if not p.is_gone.(clause) then (
        let c = p.clauses.(clause) in
        if !conflict >= 0 then keep clause
        else (
          if c.(0) = is_false then (
            c.(0) <- c.(1);
            c.(1) <- is_false);
          let other = c.(0) in
          if p.value.(other) = 1 then keep clause
          else (
            let k = ref 2 in
            while !k < Array.length c && p.value.(c.(!k)) < 0 do incr k done;
            if !k < Array.length c then (
              c.(1) <- c.(!k);
              c.(!k) <- is_false;
              push p.watchers.(c.(1)) clause)
            else (
              keep clause;
              if p.value.(other) < 0 then conflict := clause else set p other clause))))
    done;
    watching.size <- !kept
  done;
  !conflict

(* The clauses that made this one false, or where it is -1 this literal true. *)
let explain p conflict is_true =
  let found = ref [] in
  let use clause =
    found := clause :: !found;
    Array.iter (fun literal -> p.is_met.(literal / 2) <- true) p.clauses.(clause)
  in
  if conflict < 0 then p.is_met.(is_true / 2) <- true else use conflict;
  for i = p.trail.size - 1 downto 0 do
    let variable = p.trail.all.(i) / 2 in
    if p.is_met.(variable) then (
      if p.reason.(variable) >= 0 then use p.reason.(variable);
      p.is_met.(variable) <- false)
  done;
  Array.of_list !found

let append p c reasons =
  p.clauses.(p.num) <- c;
  p.reasons.(p.num) <- reasons;
  p.num <- p.num + 1

(* Adds a clause with its reasons; gives a clause that is false then, whatever else is, or -1. *)
let add p c reasons =
  let clause = p.num and num_open = ref 0 in
  Array.iteri
    (fun i literal ->
      if !num_open < 2 && p.value.(literal) >= 0 then (
        c.(i) <- c.(!num_open);
        c.(!num_open) <- literal;
        incr num_open))
    c;
  append p c reasons;
  if Array.length c > 1 then (
    push p.watchers.(c.(0)) clause;
    push p.watchers.(c.(1)) clause);
  if !num_open = 0 then clause
  else if !num_open = 1 && p.value.(c.(0)) = 0 then (
    let from = p.trail.size in
    set p c.(0) clause;
    propagate p from)
  else -1

(* The reasons of a clause if it follows. *)
let follows p c =
  let from = p.trail.size in
  let explained =
    match List.find_opt (fun literal -> p.value.(literal) > 0) (Array.to_list c) with
    | Some literal -> Some (explain p (-1) literal)
    | None ->
        Array.iter (fun literal -> if p.value.(literal) = 0 then set p (literal lxor 1) (-1)) c;
        let conflict = propagate p from in
        if conflict < 0 then None else Some (explain p conflict 0)
  in
  for i = from to p.trail.size - 1 do
    p.value.(p.trail.all.(i)) <- 0;
    p.value.(p.trail.all.(i) lxor 1) <- 0
  done;
  p.trail.size <- from;
  explained

(* A clause as it is looked up: its literals in order, and a number made of all of them, as the usual hash looks at few. *)
let key c =
  let c = Array.copy c in
  Array.sort compare c;
  (Array.fold_left (fun hash literal -> (hash * 1_000_003) + literal) 0 c, c)

(* All clauses with their reasons, up to the empty one; and how many were given. *)
let find given text =
  let lines = lines text and num_given = List.length given in
  let most = List.fold_left (fun most (_, c) -> List.fold_left (fun most (_, x) -> max most x) most c) 0 given in
  let room = num_given + List.length lines in
  let p =
    {
      clauses = Array.make room [||];
      reasons = Array.make room [||];
      is_gone = Array.make room false;
      num = 0;
      value = Array.make ((2 * most) + 2) 0;
      reason = Array.make (most + 1) (-1);
      trail = { all = [||]; size = 0 };
      watchers = Array.init ((2 * most) + 2) (fun _ -> { all = [||]; size = 0 });
      is_met = Array.make (most + 1) false;
    }
  in
  let standing = Hashtbl.create room and false_one = ref (-1) in
  let add c reasons =
    Hashtbl.add standing (key c) p.num;
    let conflict = add p c reasons in
    if !false_one < 0 then false_one := conflict
  in
  List.iter (fun (_, c) -> add (Array.of_list (List.map (fun (is_so, x) -> coded (if is_so then x else -x)) c)) [||]) given;
  let rec go number = function
    | [] -> raise (Bad "The proof doesn't end with the empty clause.")
    | line :: rest -> (
        let bad what = raise (Bad (Printf.sprintf "Line %d of the proof %s." number what)) in
        match read most number line with
        | Deleted c -> (
            match Hashtbl.find_opt standing (key c) with
            | None -> bad "takes away what isn't there"
            | Some clause ->
                Hashtbl.remove standing (key c);
                p.is_gone.(clause) <- true;
                go (number + 1) rest)
        | Added c ->
            let is_last = c = [||] in
            let reasons =
              if !false_one < 0 then follows p c else Some (if is_last then explain p !false_one 0 else [||])
            in
            let reasons = match reasons with Some reasons -> reasons | None -> bad "doesn't follow from those before" in
            if not is_last then (
              add c reasons;
              go (number + 1) rest)
            else if rest <> [] then bad "is its end, and it goes on"
            else append p c reasons)
  in
  go 1 lines;
  (p, num_given)

(* The steps that the empty clause needs, by their numbers from 0, and how many there are. A clause is deleted after its last use.
   Raises Bad. *)
let steps given text =
  let p, num_given = find given text in
  let last = Array.make p.num (-1) in
  last.(p.num - 1) <- p.num;
  for clause = p.num - 1 downto num_given do
    if last.(clause) >= 0 then Array.iter (fun other -> last.(other) <- max last.(other) clause) p.reasons.(clause)
  done;
  let gone = Array.make p.num [] in
  Array.iteri (fun clause at -> if 0 <= at && at < p.num then gone.(at) <- (clause + 1) :: gone.(at)) last;
  let is_needed clause = last.(clause) >= 0 in
  let needed = Array.of_list (List.filter is_needed (List.init (p.num - num_given) (fun i -> num_given + i))) in
  let step i =
    let clause = needed.(i / 2) in
    if i land 1 = 1 then Delete gone.(clause)
    else
      let literals = List.map as_literal (Array.to_list p.clauses.(clause)) in
      Add (clause + 1, literals, List.map succ (Array.to_list p.reasons.(clause)))
  in
  (step, 2 * Array.length needed)
