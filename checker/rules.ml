(* The rules as Coq has them, for a comparison with `quet ugi`: `newgame`, `position`, `query` and `quit` of its protocol.
   Beside these, `clauses N SEQUENCE SCORE` prints those of Sequence Ascension.

   Everything that is asked of the rules is answered by extracted code. Here are the texts of moves and of lines. *)
open Extracted
module Bool = Stdlib.Bool
module List = Stdlib.List
module Option = Stdlib.Option

(* a game in its start position, and how to go on; texts are those of docs/protocol.md *)
type position = {
  legal : unit -> string list;
  play : string -> position option;  (* None where the move is illegal *)
  mover : unit -> int;
  over : unit -> bool;
  scores : unit -> int list;
}

let number = function P1 -> 1 | P2 -> 2

let square_text (column, row) = Printf.sprintf "%c%d" (Char.chr (Char.code 'a' + column)) (row + 1)

let of_list texts moves next text =
  List.find_opt (fun move -> texts move = text) moves |> Option.map next

let rec plusses_minuses n first s =
  let open PlussesMinusesRules in
  let text = function Inl plus -> if plus then "+" else "-" | Inr square -> square_text square in
  {
    legal = (fun () -> List.map text (legal n s));
    play = of_list text (legal n s) (fun move -> plusses_minuses n first (play s move));
    mover = (fun () -> number (mover n first s));
    over = (fun () -> over n s);
    scores = (fun () -> [ score n s P1; score n s P2 ]);
  }

let rec palindromes row =
  let open PalindromesRules in
  let text (square, digit) = Printf.sprintf "%d=%d" (square + 1) (Bool.to_int digit) in
  {
    legal = (fun () -> List.map text (legal row));
    play = of_list text (legal row) (fun move -> palindromes (play row move));
    mover = (fun () -> number (mover row));
    over = (fun () -> over row);
    scores = (fun () -> [ score row P1; score row P2 ]);
  }

let rec blob n s =
  let open BlobRules in
  {
    legal = (fun () -> List.map square_text (legal n s));
    play = of_list square_text (legal n s) (fun x -> blob n (play s x));
    mover = (fun () -> number (mover s));
    over = (fun () -> over n s);
    scores = (fun () -> [ score n s P1; score n s P2 ]);
  }

let rec divisors_multiples r s =
  let open DivisorsMultiplesRules in
  let text (number, stops) = Printf.sprintf "%d%s" number (if stops then "!" else "") in
  {
    legal = (fun () -> List.map text (legal r s));
    play = of_list text (legal r s) (fun move -> divisors_multiples r (play s move));
    mover = (fun () -> number (mover s));
    over = (fun () -> over r s);
    scores = (fun () -> [ score s P1; score s P2 ]);
  }

let rec convoluted_coprimality n players grids s =
  let open ConvolutedCoprimalityRules in
  {
    legal = (fun () -> List.map square_text (legal n s));
    play = of_list square_text (legal n s) (fun x -> convoluted_coprimality n players grids (play n players grids s x));
    mover = (fun () -> s.turn);
    over = (fun () -> over s);
    scores = (fun () -> scores players s);
  }

let rec divisors_multiples_many r players s =
  let open DivisorsMultiplesManyRules in
  let text (number, stops) = Printf.sprintf "%d%s" number (if stops then "!" else "") in
  {
    legal = (fun () -> List.map text (legal r s));
    play = of_list text (legal r s) (fun move -> divisors_multiples_many r players (play players s move));
    mover = (fun () -> mover s);
    over = (fun () -> over r s);
    scores = (fun () -> List.init players (fun i -> score s (i + 1)));
  }

let rec up_and_up n s =
  let open UpAndUpRules in
  {
    legal = (fun () -> List.map square_text (legal n s));
    play = of_list square_text (legal n s) (fun move -> up_and_up n (play s move));
    mover = (fun () -> 1);
    over = (fun () -> over n s);
    scores = (fun () -> [ score s ]);
  }

let rec sums_grid n s =
  let open SumsGridRules in
  let name square = square_text (square mod n, square / n) in
  let text = function
    | Write (square, 0) -> name square ^ "="
    | Write (square, value) -> Printf.sprintf "%s=%d" (name square) value
    | Done -> "done"
  in
  let read = function
    | "done" -> Some Done
    | word -> (
        let square text = List.find_opt (fun k -> name k = text) (List.init (n * n) Fun.id) in
        match String.split_on_char '=' word with
        | [ where; "" ] -> Option.map (fun k -> Write (k, 0)) (square where)
        | [ where; value ] ->
            Option.bind (square where) (fun k -> Option.map (fun v -> Write (k, v)) (int_of_string_opt value))
        | _ -> None)
  in
  {
    legal = (fun () -> List.map text (legal n s));
    play =
      (fun word ->
        match read word with
        | Some move when is_legal n s move -> Some (sums_grid n (play s move))
        | _ -> None);
    mover = (fun () -> 1);
    over = (fun () -> over s);
    scores = (fun () -> [ score n s ]);
  }

let rec sequence_ascension n terms s =
  let open SequenceAscensionRules in
  let text square = square_text (square mod n, square / n) in
  {
    legal = (fun () -> List.map text (legal n terms s));
    play = of_list text (legal n terms s) (fun move -> sequence_ascension n terms (play n terms s move));
    mover = (fun () -> 1);
    over = (fun () -> over n terms s);
    scores = (fun () -> [ score s ]);
  }

let new_game id parameters =
  let word name = List.find_map (fun word -> match String.split_on_char '=' word with [ n; v ] when n = name -> Some v | _ -> None) parameters in
  let value name usual = Option.value (Option.bind (word name) int_of_string_opt) ~default:usual in
  match id with
  | "plusses-minuses" ->
      Some (plusses_minuses (value "n" 8) (if value "second_part_first" 1 = 1 then P1 else P2) PlussesMinusesRules.start)
  | "palindromes" -> Some (palindromes (PalindromesRules.start (value "m" 16)))
  | "blob" ->
      let n = value "n" 8 in
      Some (blob n (BlobRules.start n))
  | "divisors-multiples" -> (
      let r = value "r" 17 in
      match value "players" 0 with
      | 0 -> Some (divisors_multiples r (DivisorsMultiplesRules.start r))  (* the rules for two only *)
      | players -> Some (divisors_multiples_many r players (DivisorsMultiplesManyRules.start r players)))
  | "convoluted-coprimality" ->
      let n = value "n" 12 and players = value "players" 2 in
      Some (convoluted_coprimality n players (value "grids" 10) (ConvolutedCoprimalityRules.start n players))
  | "up-and-up" -> Some (up_and_up (value "n" 8) UpAndUpRules.start)
  | "sums-grid" ->
      let n = value "n" 3 in
      Some (sums_grid n (SumsGridRules.start n))
  | "sequence-ascension" ->
      let n = value "n" 5 and text = Option.value (word "sequence") ~default:"divisors" in
      Some (sequence_ascension n (Sequences.ranks text (n * n)) (SequenceAscensionRules.start n))
  | _ -> None

(* The clauses of Sequence Ascension as DIMACS, each in a line. *)
let print_clauses n sequence score =
  let number (is_so, variable) = string_of_int (if is_so then variable else -variable) in
  let print (_, clause) = print_endline (String.concat " " (List.map number clause @ [ "0" ])) in
  List.iter print (Ascension.clauses n (Sequences.ranks sequence (n * n)) score)

let respond words = print_endline (String.concat " " ("response" :: words))

let () =
  let start = ref None and now = ref None in
  let query what =
    match (!now, what) with
    | None, _ -> print_endline "error There is no game."
    | Some p, "legal" -> respond (p.legal ())
    | Some p, "mover" -> respond [ (if p.over () then "none" else string_of_int (p.mover ())) ]
    | Some p, "gameover" -> respond [ string_of_bool (p.over ()) ]
    | Some p, "scores" -> respond (List.map string_of_int (p.scores ()))
    | Some _, _ -> print_endline "error That can't be asked here."
  in
  let rec answer () =
    (match String.split_on_char ' ' (input_line stdin) with
    | "newgame" :: id :: parameters -> (
        match new_game id parameters with
        | Some p ->
            start := Some p;
            now := Some p;
            print_endline "ok"
        | None -> print_endline "error Coq doesn't have the rules of this game.")
    | "position" :: "startpos" :: rest -> (
        let moves = match rest with "moves" :: words -> words | _ -> [] in
        let step p word = Option.bind p (fun position -> position.play word) in
        match List.fold_left step !start moves with
        | Some p ->
            now := Some p;
            print_endline "ok"
        | None -> print_endline "error A move is illegal.")
    | [ "query"; what ] -> query what
    | [ "clauses"; n; sequence; score ] ->
        print_clauses (int_of_string n) sequence (int_of_string score);
        print_endline "ok"
    | [ "quit" ] -> exit 0
    | _ -> print_endline "error That is not known here.");
    answer ()
  in
  try answer () with End_of_file -> ()
