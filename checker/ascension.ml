(* The variables of Sequence Ascension's clauses by their numbers in the proof of a certificate, in the order that
   `games/sequence_ascension/claims.py` tells; and whether such a proof shows that no score is `score` or more. *)
open Extracted
module List = Stdlib.List

let upto count = List.init count Fun.id
let pairs some others pair = List.concat_map (fun a -> List.map (pair a) (upto others)) (upto some)

let variables n ranks score =
  let size = n * n and num_ranks = 1 + List.fold_left max 0 ranks in
  let so_far groups members group = pairs groups members (fun k i -> SoFar (group k, i)) in
  let counts of_terms =
    List.concat_map (fun i -> List.init (min (size - score) (i + 1)) (fun j -> AtLeast (of_terms, i + 1, j + 1))) (upto size)
  in
  List.concat
    [
      pairs size size (fun k s -> TermOn (k, s));
      pairs score size (fun p s -> StepOn (p, s));
      pairs num_ranks size (fun r s -> RankOn (r, s));
      List.map (fun k -> LeftOut k) (upto size);
      so_far size size (fun k -> OfTerm k);
      so_far size size (fun s -> OfSquare s);
      so_far score size (fun p -> OfStep p);
      so_far size score (fun s -> OnSquare s);
      counts false;
      counts true;
    ]

let numbering n ranks score =
  let all = Array.of_list (variables n ranks score) in
  let numbers = Hashtbl.create (Array.length all) in
  Array.iteri (fun i x -> Hashtbl.add numbers x (i + 1)) all;
  (Hashtbl.find numbers, fun number -> all.(number - 1))

let clauses n ranks score = Check.sequence_ascension_clauses (fst (numbering n ranks score)) n ranks score

(* Raises what Reasons does. *)
let none_from n ranks score proof =
  let number, named = numbering n ranks score in
  let step, count = Reasons.steps (Check.sequence_ascension_clauses number n ranks score) proof in
  Check.sequence_ascension_none_from number named n ranks score step count
