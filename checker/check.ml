(* A second checker of certificates of Palindromes, Plusses And Minuses and Blob: tables, weak solutions, pairings of squares,
   mirror strategies and the bounds of the rules; of weak solutions, tables and `minimax` of Divisors/Multiples; and of tables and
   `minimax` of Convoluted Coprimality for any number of players. Of Up And Up, sums grids and Sequence Ascension: games that reach a
   score, and bounds. Of Up And Up also tables, and that no game is shorter. Of Sequence Ascension also proofs of SAT solvers.

   What decides whether a claim holds is extracted from Coq, where it is proven (module Check of `extracted.ml`). The code
   here reads and unpacks files, replays the witness of a game for two by the extracted rules, and numbers the positions of a table. A mistake in it
   can make it read another claim than the file's, but a claim that it passes on to Check holds if Check says so.

   Verdicts, exit statuses and limits are those of `quet verify`: verified 0, refuted 1, unchecked 3; 2 where a file can't be read. *)
open Extracted
module Bool = Stdlib.Bool
module List = Stdlib.List
module Option = Stdlib.Option

exception Refuted of string

let refuse sentence = raise (Refuted sentence)
let need is_so sentence = if not is_so then refuse sentence

type verdict = Verified | Unchecked of string

(* ---- JSON *)
let field name = function
  | Json.Object pairs -> ( try List.assoc name pairs with Not_found -> refuse ("It has no " ^ name ^ "."))
  | _ -> refuse ("There is no object with " ^ name ^ ".")

let has_fields names = function
  | Json.Object pairs -> List.sort compare (List.map fst pairs) = List.sort compare names
  | _ -> false

let integer what = function Json.Int i -> i | _ -> refuse (what ^ " must be an integer.")
let texts what = function
  | Json.List l -> List.map (function Json.Text t -> t | _ -> refuse (what ^ " must be texts.")) l
  | _ -> refuse (what ^ " must be a list.")

(* ---- limits that `quet verify` has, too *)
let most_moves = 10_000  (* of a witness: in the sums grid a game can go on for ever *)
let largest_value = 1_000_000_000_000  (* of a result, up or down *)

let witness certificate =
  let line = texts "The witness" (field "witness" certificate) in
  need (List.compare_length_with line most_moves <= 0) (Printf.sprintf "The witness has more than %d moves." most_moves);
  line

let value what given =
  let number = integer what given in
  need (-largest_value <= number && number <= largest_value) (Printf.sprintf "Values are from -%d to %d." largest_value largest_value);
  number

(* ---- a game, as the checks below need it. A result is the lead of player 1, or with more players the scores of all. *)
type ('s, 'r) game = {
  start : 's;
  moves : 's -> (string * 's) list;  (* ascending, with the position after each *)
  is_over : 's -> bool;
  result : 's -> 'r;  (* as it stands *)
  key : 's -> string;  (* the same for positions that a table joins *)
  table : (('s * 'r) list -> ('s -> 'r option) option) option;
      (* verified results, if all of these are right; None where Coq has no tables of the game *)
  holds : (player -> int -> reply:(int -> int option) -> most:int -> (int * int) option) option;
      (* whether a strategy holds a value; then how many replies it used; None where Coq has no strategies of the game *)
}

(* Which bit of a text is 1, counted from the highest of the first byte; `width` bits of each byte count. *)
let bit width text i =
  let byte = Char.code text.[i / width] in
  (byte lsr (width - 1 - (i mod width))) land 1 = 1

let letter k = Char.chr (Char.code 'a' + k)
let square_text (column, row) =
  if column < 26 then Printf.sprintf "%c%d" (letter column) (row + 1)
  else Printf.sprintf "%c%c%d" (letter ((column / 26) - 1)) (letter (column mod 26)) (row + 1)

let backwards text =
  let last = String.length text - 1 in
  String.init (last + 1) (fun i -> text.[last - i])

(* The texts by which a weak solution orders the positions of a stage, as `claims.py` or the hash of the state does. *)
let key_of_row row =
  let text other = String.concat "" (List.map (function None -> "\000" | Some d -> if d <> other then "\002" else "\001") row) in
  let row = text false and exchanged = text true in
  min (min row (backwards row)) (min exchanged (backwards exchanged))

let hash_of_squares n first s =
  let numbers = Array.make 81 0 in
  numbers.(0) <- n;
  numbers.(1) <- (if first = P1 then 1 else 2);
  numbers.(2) <- List.length s.predicted + List.length s.filled;
  List.iteri (fun i plus -> numbers.(3 + i) <- (if plus then 1 else -1)) s.predicted;
  List.iter
    (fun (column, row) ->
      numbers.(41 + column) <- row + 1;
      numbers.(61 + row) <- column + 1)
    s.filled;
  Blake2b.digest numbers

let palindromes m =
  let open PalindromesRules in
  let text (square, digit) = Printf.sprintf "%d=%d" (square + 1) (Bool.to_int digit) in
  {
    start = start m;
    moves = (fun row -> List.map (fun move -> (text move, play row move)) (legal row));
    is_over = over;
    result = Check.palindromes_lead;
    key = (fun row -> String.concat "" (List.map (function None -> "." | Some d -> if d then "1" else "0") row));
    table =
      Some (fun values ->
        let table = List.fold_left (fun t (row, v) -> Check.palindromes_add t row v) Leaf values in
        if Check.palindromes_right table then Some (Check.palindromes_value table) else None);
    holds = Some (fun player v ~reply ~most -> Check.palindromes_holds player v key_of_row (bit 2) (2 * m) reply (m + 1) most m);
  }

let plusses_minuses n first =
  let open PlussesMinusesRules in
  let text = function
    | Inl plus -> if plus then "+" else "-"
    | Inr square -> square_text square
  in
  {
    start;
    moves = (fun s -> List.map (fun move -> (text move, play s move)) (legal n s));
    is_over = over n;
    result = Check.plusses_minuses_lead n first;
    key =
      (fun s ->
        let symbols = List.map (fun plus -> if plus then "+" else "-") s.predicted in
        let squares = List.map (fun (c, r) -> Printf.sprintf " %d,%d" c r) (List.sort compare s.filled) in
        String.concat "" (symbols @ squares));
    table =
      Some (fun values ->
        let table = List.fold_left (fun t (s, v) -> Check.plusses_minuses_add t s v) Leaf values in
        if Check.plusses_minuses_right n first table then Some (Check.plusses_minuses_value n first table) else None);
    holds =
      Some (fun player v ~reply ~most ->
        Check.plusses_minuses_holds n first player v (hash_of_squares n first) (bit 8) 128 reply (3 * n) most);
  }

let key_of_grid s =
  let square c r filled = if filled then "\002" else if BlobRules.is_edge s c r then "\001" else "\000" in
  let rows = List.mapi (fun r line -> String.concat "" (List.mapi (fun c filled -> square c r filled) line)) s in
  let upside_down = String.concat "" (List.rev rows) and row = String.concat "" rows in
  min (min row (backwards row)) (min upside_down (backwards upside_down))

let blob n =
  let open BlobRules in
  {
    start = start n;
    moves = (fun s -> List.map (fun x -> (square_text x, play s x)) (legal n s));
    is_over = over n;
    result = Check.blob_lead n;
    key = (fun s -> String.concat "" (List.concat_map (List.map (fun filled -> if filled then "1" else "0")) s));
    table =
      Some (fun values ->
        let table = List.fold_left (fun t (s, v) -> Check.blob_add t s v) Leaf values in
        if Check.blob_right n table then Some (Check.blob_value n table) else None);
    holds =
      Some (fun player v ~reply ~most ->
        Check.blob_holds n player v key_of_grid (bit 2) (2 * n * n) reply ((n * n) + 1) most);
  }

(* What the cheapest walks from x cost, where a turn begins. Coq's function looks whether it is right. *)
let cheapest near taken x =
  let far = max_int / 4 and is_taken = Array.of_list taken in
  let cost = Array.make (Array.length is_taken) far in
  cost.(x) <- 0;
  let rec go () =
    let is_changed = ref false in
    Array.iteri
      (fun y row ->
        let factor = if is_taken.(y) then 2 else 1 in
        let better least (z, ratio) = min least (cost.(z) + (factor * ratio)) in
        let least = Array.fold_left better cost.(y) row in
        if least < cost.(y) then (
          cost.(y) <- least;
          is_changed := true))
      near;
    if !is_changed then go ()
  in
  go ();
  Array.to_list cost

let hash_of_numbers s =
  let mover = if s.turn_of = P1 then 1 else 2 in
  Blake2b.digest (Array.of_list (List.map Bool.to_int s.taken @ [ s.current; mover; s.num_steps ]))

let divisors_multiples r =
  let open DivisorsMultiplesRules in
  let text (number, stops) = Printf.sprintf "%d%s" number (if stops then "!" else "") in
  let near = Array.of_list (List.map Array.of_list (neighbours r)) in
  {
    start = start r;
    moves = (fun s -> List.map (fun move -> (text move, play s move)) (legal r s));
    is_over = over r;
    result = Check.divisors_multiples_lead r;
    key = (fun s -> Marshal.to_string s [ Marshal.No_sharing ]);
    table = None;
    holds =
      Some (fun player v ~reply ~most ->
        let player = opponent player in  (* who pays less wins, so player 2 wants the value to be high *)
        Check.divisors_multiples_holds r (cheapest near) player v hash_of_numbers (bit 8) 128 reply (r + 1) most);
  }

let convoluted_coprimality n players grids =
  let open ConvolutedCoprimalityRules in
  {
    start = start n players;
    moves = (fun s -> List.map (fun x -> (square_text x, play n players grids s x)) (legal n s));
    is_over = over;
    result = scores players;
    key = (fun s -> Marshal.to_string s [ Marshal.No_sharing ]);
    table =
      Some (fun results ->
        let add t (s, r) = Check.convoluted_coprimality_add n players grids t s r in
        let table = List.fold_left add Leaf results in
        if Check.convoluted_coprimality_right n players grids table then
          Some (Check.convoluted_coprimality_result n players grids table)
        else None);
    holds = None;
  }

(* A game for two in which 1 is the score of who wins or shares the win, with leads in place of results. *)
let result_of = function 1 -> [ 1; 0 ] | 0 -> [ 1; 1 ] | -1 -> [ 0; 1 ] | _ -> refuse "There is no such value."
let by_leads game =
  let lead = function [ one; other ] -> one - other | _ -> assert false in
  let table verified leads =
    let results = verified (List.map (fun (s, v) -> (s, result_of v)) leads) in
    Option.map (fun result s -> Option.map lead (result s)) results
  in
  { game with result = (fun s -> lead (game.result s)); table = Option.map table game.table }

let moves game s = if game.is_over s then [] else game.moves s

(* All positions in the order in which they are met, breadth first, by a key. *)
let positions game key most =
  let numbers = Hashtbl.create 1000 and waiting = Queue.create () and met = ref [] in
  let meet s =
    if not (Hashtbl.mem numbers (key s)) then (
      Hashtbl.add numbers (key s) (Hashtbl.length numbers);
      need (Hashtbl.length numbers <= most) "The game has more positions than the table.";
      met := s :: !met;
      Queue.add s waiting)
  in
  meet game.start;
  while not (Queue.is_empty waiting) do
    List.iter (fun (_, after) -> meet after) (moves game (Queue.pop waiting))
  done;
  (numbers, List.rev !met)

let most_positions = 1_000_000

(* The results of the table, once each of them is proven right. A table counts how much a result still changes. *)
let check_table game ~read ~add table values =
  let given =
    match values with
    | Json.List l ->
        need (l <> [] && List.length l <= most_positions) "A table has from one to a million values.";
        Array.map read (Array.of_list l)
    | _ -> refuse "values must be a list."
  in
  let numbers, _ = positions game game.key (Array.length given) in
  need (Hashtbl.length numbers = Array.length given) "The table has more values than the game has positions.";
  (* Coq tells positions apart by the order of their squares, too *)
  let _, all = positions game (fun s -> Marshal.to_string s [ Marshal.No_sharing ]) max_int in
  let with_result s = (s, add (game.result s) given.(Hashtbl.find numbers (game.key s))) in
  match table (List.map with_result all) with
  | Some result -> result
  | None -> refuse "A value of the table isn't that of the best move."

(* The results of all positions, found by trying all moves and then proven right; None where there are too many positions. *)
let try_all game better table =
  let found = Hashtbl.create 1000 in
  let rec result s =
    match Hashtbl.find_opt found (game.key s) with
    | Some (_, r) -> r
    | None ->
        if Hashtbl.length found = most_positions then raise Exit;
        let after = List.map (fun (_, after) -> result after) (moves game s) in
        let better_of r r' = if better s r' r then r' else r in
        let r = if after = [] then game.result s else List.fold_left better_of (List.hd after) after in
        Hashtbl.add found (game.key s) (s, r);
        r
  in
  match result game.start with
  | _ -> table (List.of_seq (Hashtbl.to_seq_values found))
  | exception (Exit | Stack_overflow) -> None

(* ---- pairings *)
let split_move m text =
  match String.split_on_char '=' text with
  | [ square; (("0" | "1") as digit) ] -> (
      match int_of_string_opt square with
      | Some k when string_of_int k = square && 1 <= k && k <= m -> (k - 1, digit = "1")
      | _ -> refuse "The first move has no such square.")
  | _ -> refuse "The first move can't be read."

(* What Coq's function asks of a part, and that few pairs are free: all their digits are tried. *)
let check_part m first pairs part =
  need (List.length part = m) "A part has a digit or a dot for each square.";
  let at = List.nth part in
  List.iter (fun (square, digit) -> need (at square = Some digit) "A part has the first square with its digit.") (Option.to_list first);
  let keeps ((a, b), differ) = match (at a, at b) with None, None -> true | Some x, Some y -> (x <> y) = differ | _ -> false in
  need (List.for_all keeps pairs) "A part has both squares of a pair by its rule, or none.";
  let num_free = List.length (List.filter (fun ((a, _), _) -> at a = None) pairs) in
  need (num_free <= 10) "A part leaves at most 10 pairs free.";
  need (num_free < List.length pairs) "A part has a pair."

(* Rules are broken where one of the parts would come about. Where there is none, all rules are kept. *)
let check_pairing parts m side ground claimed =
  let first =
    match (side, field "first" ground) with
    | "high", Json.Null -> None
    | "low", Json.Text text -> Some (split_move m text)
    | _ -> refuse "Player 1 has a first move in a pairing for low, and nobody in one for high."
  in
  let pair = function
    | Json.List [ Json.Int a; Json.Int b; Json.Text rule ] ->
        need (1 <= a && a < b && b <= m) "The squares of a pair must be in the row, and in order.";
        need (rule = "same" || rule = "different") "The rule of a pair must be same or different.";
        ((a - 1, b - 1), rule = "different")
    | _ -> refuse "Each pair must be two squares, and same or different."
  in
  let pairs = match field "pairs" ground with Json.List l -> List.map pair l | _ -> refuse "The pairs must be a list." in
  need (List.length pairs <= 32) "At most 32 pairs can be checked.";
  let filled = List.map fst (Option.to_list first) @ List.concat_map (fun ((a, b), _) -> [ a; b ]) pairs in
  need (List.sort compare filled = List.init m Fun.id) "Each square must be filled first or be in one pair.";
  let pairing = pairing_of m pairs first in
  List.iter (check_part m first pairs) parts;
  let exchanged = List.map (List.map (Option.map not)) parts in  (* a part has the first square, if there is one *)
  let parts, limit = if side = "high" then (parts @ exchanged, claimed) else (parts, -claimed) in
  need (Check.avoiding_is_right m pairing parts limit) (Printf.sprintf "This pairing doesn't hold the value at %d." claimed)

let parts_of ground =
  let digit = function '0' -> Some false | '1' -> Some true | '.' -> None | _ -> refuse "A part has digits and dots." in
  let part = function
    | Json.Text text -> List.map digit (List.of_seq (String.to_seq text))
    | _ -> refuse "A part must be a row of digits and dots."
  in
  let parts = match field "avoided" ground with Json.List l -> List.map part l | _ -> refuse "The parts must be a list." in
  need (List.length parts <= 100) "At most 100 parts can be checked.";
  parts

(* ---- weak solutions *)
let most_replies = 50_000_000

(* The replies of a text: how many there are, and which one is the i-th. 255 and a second byte stand for 255 and more. *)
let unpacked text =
  let content = try Packed.unzlib ~most:(2 * most_replies) (Packed.base64 text) with Packed.Bad -> refuse "The replies can't be unpacked." in
  let replies = Bytes.create (2 * String.length content) in
  let rec go i count =
    if i = String.length content then count
    else (
      let is_high = content.[i] = '\255' in
      need ((not is_high) || i + 1 < String.length content) "Something is missing at the end of the replies.";
      Bytes.set_uint16_le replies (2 * count) (if is_high then 255 + Char.code content.[i + 1] else Char.code content.[i]);
      go (if is_high then i + 2 else i + 1) (count + 1))
  in
  let count = go 0 0 in
  (count, fun i -> if i < count then Some (Bytes.get_uint16_le replies (2 * i)) else None)

let check_weak holds side ground claimed =
  need (has_fields [ "for"; "kind"; "replies" ] ground) "A weak solution has for, kind and replies.";
  let text = match field "replies" ground with Json.Text text -> text | _ -> refuse "replies must be a text." in
  let count, reply = unpacked text in
  match holds (if side = "low" then P1 else P2) claimed ~reply ~most:most_replies with
  | Some (used, _) -> need (used = count) "The strategy has more replies than positions."
  | None -> refuse (Printf.sprintf "The strategy doesn't hold the value at %d." claimed)

(* ---- certificates *)
let sides ground =
  match field "for" ground with
  | Json.List [ Json.Text "low" ] -> [ "low" ]
  | Json.List [ Json.Text "high" ] -> [ "high" ]
  | Json.List [ Json.Text "low"; Json.Text "high" ] -> [ "low"; "high" ]
  | _ -> refuse "Grounds are for low or high, or for both."

(* ---- mirror strategies: those of Theorems 1 and 2 are right for every n, and others are left unchecked *)
let largest_mirror = 10  (* `quet verify` plays them out, and has a limit there *)

(* Whether it is one of the proven ones; refuses what is no mirror strategy at all. *)
let is_proven_mirror n first side ground =
  need (has_fields [ "for"; "kind"; "symbol"; "square"; "shift" ] ground) "A mirror has for, kind, symbol, square and shift.";
  let symbol = field "symbol" ground and square = field "square" ground in
  let shift = match field "shift" ground with Json.Int k when 0 <= k && k < n -> k | _ -> refuse "There is no such shift." in
  let is_low = side = "low" in
  need (if is_low then symbol = Json.Text "+" || symbol = Json.Text "-" else symbol = Json.Null)
    "Player 1 needs a first symbol in a mirror for low, and player 2 none in one for high.";
  let begins = first = if is_low then P1 else P2 in
  need (match square with Json.Text _ -> begins | Json.Null -> not begins | _ -> false)
    "Who fills the first square needs one, and nobody else does.";
  let corner = Json.Text (square_text (0, if is_low then n - 1 else 0)) in
  n <= largest_mirror && symbol <> Json.Text "+" && shift = Bool.to_int is_low && (square = corner || not begins)

let check_mirror n first side claimed =
  let value = Check.mirror_holds_at n first (if side = "low" then P1 else P2) in
  need (value = claimed) (Printf.sprintf "This mirror strategy holds the value at %d, not %d." value claimed)

(* ---- searches that nobody repeats *)

(* From a blank to ~, so that what can be printed depends on no version of Unicode. *)
let is_printable text = String.for_all (fun c -> ' ' <= c && c <= '~') text

let check_search ground =
  need (has_fields [ "for"; "kind"; "method"; "positions"; "confirmed_by" ] ground) "A search has other keys.";
  let is_text = function Json.Text text -> text <> "" && is_printable text | _ -> false in
  let confirmed_by = field "confirmed_by" ground in
  need (is_text (field "method" ground) && (is_text confirmed_by || confirmed_by = Json.Null)) "A way must be a text of printable ASCII characters.";
  need (match field "positions" ground with Json.Int k -> k > 0 | Json.Large k -> k.[0] <> '-' | _ -> false)
    "positions must be their number."

let resting_on = function [] -> Verified | kinds -> Unchecked ("It rests on: " ^ String.concat ", " kinds ^ ".")

(* What the grounds come to: each with its sides, and its kind where it isn't checked here. *)
let judge certificate best_moves check =
  let grounds = match field "grounds" certificate with Json.List (_ :: _ as l) -> l | _ -> refuse "The grounds must be a list, with at least one in it." in
  let results = List.map check grounds in
  let covered = List.sort compare (List.concat_map fst results) in
  need (covered = [ "high"; "low" ]) "low and high must each have one reason.";
  let is_of kinds ground = List.mem (field "kind" ground) (List.map (fun kind -> Json.Text kind) kinds) in
  need
    (best_moves = None || List.exists (is_of [ "table"; "exhaustive"; "minimax" ]) grounds)
    "Only a table or a search tells which first moves are the best.";
  resting_on (List.filter_map snd results)

(* ---- one certificate. `bound` is the number beyond which no lead can be, if the rules say so. *)
type own = Nothing | Row of int | Grid of int * player  (* what a game's own kinds of grounds need: m, or n and who fills first *)

(* what claims of any number of players have in common *)
let claim_of players certificate =
  let claim = field "claim" certificate in
  let sides, score = if players > 2 then ([ "scores" ], "scores") else ([ "low"; "high" ], "value") in
  need (has_fields (sides @ [ "score"; "best_moves" ]) claim) "The claim must have score, best_moves, and low and high or scores.";
  need (field "score" claim = Json.Text score) "The score is value with two players, and scores with more.";
  (claim, sides)

let scores_of players what = function
  | Json.List l when List.length l = players -> List.map (value what) l
  | _ -> refuse (what ^ " must be a number for each player.")

let best_moves_of game claim =
  let first_moves = List.map fst (moves game game.start) in
  let is_in_order given = given <> [] && List.filter (fun text -> List.mem text given) first_moves = given in
  match field "best_moves" claim with
  | Json.Null -> None
  | given ->
      let given = texts "best_moves" given in
      need (is_in_order given) "best_moves must be legal, in order, each once.";
      Some given

let step game s text =
  match List.assoc_opt text (moves game s) with Some after -> after | None -> refuse "A move of the witness is illegal."

let replay game line claimed best_moves =
  let last = List.fold_left (step game) game.start line in
  need (game.is_over last) "The game of the witness isn't over.";
  need (game.result last = claimed) "The witness doesn't reach what is claimed.";
  match (best_moves, line) with
  | Some given, text :: _ -> need (List.mem text given) "The first move of the witness isn't among the best moves."
  | _ -> ()

(* Whether a move keeps what is claimed, which is compared with the results of all positions first. *)
let compared game result claimed best_moves =
  need (result game.start = Some claimed) "By the results of all positions the value is another.";
  let keeps after = result after = Some claimed in
  let best = List.filter_map (fun (text, after) -> if keeps after then Some text else None) (moves game game.start) in
  need (best_moves = None || best_moves = Some best) "The best moves are others.";
  keeps

let keep_along game line keeps =
  let checked s text =
    let after = step game s text in
    need (keeps after) "A move of the witness loses value.";
    after
  in
  ignore (List.fold_left checked game.start line)

let check_by_table game ~read ~add table ground claimed best_moves line =
  need (has_fields [ "for"; "kind"; "values" ] ground) "A table has for, kind and values.";
  keep_along game line (compared game (check_table game ~read ~add table (field "values" ground)) claimed best_moves)

(* the kinds of what is left to trust: minimax, where the positions are too many or Coq doesn't say which result is better *)
let check_minimax game better ground claimed best_moves =
  need (has_fields [ "for"; "kind" ] ground) "Minimax has for and kind.";
  match Option.bind better (fun better -> Option.bind game.table (try_all game better)) with
  | Some result ->
      let (_ : _ -> bool) = compared game result claimed best_moves in
      None
  | None -> Some "minimax"

let check_game : 's. ('s, int) game -> own -> ?bound:int -> ?better:('s -> int -> int -> bool) -> Json.t -> verdict =
 fun game own ?bound ?better certificate ->
  let claim, _ = claim_of 2 certificate in
  let low = value "low" (field "low" claim) and high = value "high" (field "high" claim) in
  need (low <= high) "low is above high.";
  let is_within bound = -bound <= low && high <= bound in
  need (Option.fold ~none:true ~some:is_within bound) "It claims less than the rules alone give.";
  let best_moves = best_moves_of game claim in
  let line = witness certificate in
  if low < high then need (line = [] && best_moves = None) "Where low is below high there is no witness and no best move."
  else replay game line low best_moves;
  let check ground =
    let for_sides = sides ground in
    match (field "kind" ground, for_sides, own) with
    | Json.Text "table", [ "low"; "high" ], _ -> (
        match game.table with
        | Some table ->
            need (low = high) "A table is for low and high together, which must be equal.";
            check_by_table game ~read:(value "A value") ~add:( + ) table ground low best_moves line;
            (for_sides, None)
        | None -> (for_sides, Some "table"))
    | Json.Text "pairing", [ side ], Row m ->
        need (has_fields [ "for"; "kind"; "first"; "pairs" ] ground) "A pairing has for, kind, first and pairs.";
        check_pairing [] m side ground (if side = "high" then high else low);
        (for_sides, None)
    | Json.Text "avoiding", [ side ], Row m ->
        need (has_fields [ "for"; "kind"; "first"; "pairs"; "avoided" ] ground) "It has for, kind, first, pairs and avoided.";
        check_pairing (parts_of ground) m side ground (if side = "high" then high else low);
        (for_sides, None)
    | Json.Text "weak", [ side ], _ -> (
        match game.holds with
        | Some holds ->
            check_weak holds side ground (if side = "high" then high else low);
            (for_sides, None)
        | None -> (for_sides, Some "weak"))
    | Json.Text "bound", [ side ], _ ->
        need (has_fields [ "for"; "kind" ] ground) "A bound has for and kind.";
        need (Some (if side = "high" then high else -low) = bound) "The bound of the rules is another, or there is none.";
        (for_sides, None)
    | Json.Text "mirror", [ side ], Grid (n, first) when is_proven_mirror n first side ground ->
        check_mirror n first side (if side = "high" then high else low);
        (for_sides, None)
    | Json.Text "exhaustive", _, _ ->
        check_search ground;
        (for_sides, Some "exhaustive")
    | Json.Text "minimax", [ "low"; "high" ], _ ->
        need (low = high) "Minimax is for low and high together, which must be equal.";
        (for_sides, check_minimax game better ground low best_moves)
    | Json.Text "mirror", [ _ ], Grid _ -> (for_sides, Some "mirror")
    | _ -> refuse "There are no grounds of this kind for these sides."
  in
  judge certificate best_moves check

(* ---- one certificate of a game of three and more players *)
let check_many game players better certificate =
  let claim, _ = claim_of players certificate in
  let read = scores_of players "A score" in
  let claimed = read (field "scores" claim) in
  let best_moves = best_moves_of game claim in
  let line = witness certificate in
  replay game line claimed best_moves;
  match field "grounds" certificate with
  | Json.List [ ground ] -> (
      need (field "for" ground = Json.List [ Json.Text "scores" ]) "Grounds are for scores.";
      match (field "kind" ground, game.table) with
      | Json.Text "table", Some table ->
          check_by_table game ~read ~add:(List.map2 ( + )) table ground claimed best_moves line;
          Verified
      | Json.Text "exhaustive", _ ->
          check_search ground;
          resting_on [ "exhaustive" ]
      | Json.Text "minimax", _ -> resting_on (Option.to_list (check_minimax game better ground claimed best_moves))
      | Json.Text "table", None -> resting_on [ "table" ]
      | _ -> refuse "There are no grounds of this kind for scores.")
  | _ -> refuse "There must be one reason for the scores."

(* ---- Divisors/Multiples for any number of players. A result is a list: the scores, or of two players the one difference. *)

(* The result that perfect play from a position leads to, once each value of the table is proven right. *)
let value_by_table r players game read values =
  let given =
    match values with
    | Json.List l ->
        need (l <> [] && List.length l <= most_positions) "A table has from one to a million values.";
        List.map (read "A value") l
    | _ -> refuse "values must be a list."
  in
  let _, all = positions game game.key (List.length given) in
  need (List.compare_lengths all given = 0) "The table has more values than the game has positions.";
  let table = List.fold_left2 Check.divisors_multiples_many_add Leaf all given in
  need (Check.divisors_multiples_many_right r players table) "A value of the table isn't that of the best move.";
  fun s ->
    let still = Check.divisors_multiples_many_promised players table s in
    Option.map (Check.divisors_multiples_many_plus (game.result s)) still

let most_bytes = 4 lsl 30  (* that the results of all sets of taken numbers may take *)

let check_divisors_multiples_many r players certificate =
  let open DivisorsMultiplesManyRules in
  let text (number, stops) = Printf.sprintf "%d%s" number (if stops then "!" else "") in
  let game =
    {
      start = start r players;
      moves = (fun s -> List.map (fun move -> (text move, play players s move)) (legal r s));
      is_over = over r;
      result = Check.divisors_multiples_many_scores players;
      key = (fun s -> Marshal.to_string (s.dmm_taken, s.dmm_current, s.dmm_mover, s.dmm_num_steps) [ Marshal.No_sharing ]);
      table = None;
      holds = None;
    }
  in
  let read what = if players > 2 then scores_of players what else fun one -> [ value what one ] in
  let claim, sides = claim_of players certificate in
  let claimed =
    match List.map (fun side -> read "What is claimed" (field side claim)) sides with
    | [ low; high ] when low <> high -> refuse "Tables and searches are for low and high together, which must be equal."
    | claimed -> List.hd claimed
  in
  let best_moves = best_moves_of game claim in
  let line = witness certificate in
  replay game line claimed best_moves;
  let ground =
    match field "grounds" certificate with Json.List [ one ] -> one | _ -> refuse "There must be one reason for all."
  in
  need (field "for" ground = Json.List (List.map (fun side -> Json.Text side) sides)) "The grounds are for other sides.";
  match field "kind" ground with
  | Json.Text "table" ->
      need (has_fields [ "for"; "kind"; "values" ] ground) "A table has for, kind and values.";
      let value = value_by_table r players game read (field "values" ground) in
      keep_along game line (compared game value claimed best_moves);
      Verified
  | Json.Text "minimax" -> (
      need (has_fields [ "for"; "kind" ] ground) "Minimax has for and kind.";
      match Sets.still r players ~most:most_bytes with
      | None -> Unchecked "There are too many sets of taken numbers for the memory."
      | Some still when Check.divisors_multiples_many_sets_right r players still ->
          let value s = Some (Check.divisors_multiples_many_value r players still s) in
          let (_ : dmm_state -> bool) = compared game value claimed best_moves in
          Verified
      | Some _ -> Unchecked "What was found for all sets of taken numbers isn't right.")
  | Json.Text "exhaustive" ->
      check_search ground;
      resting_on [ "exhaustive" ]
  | _ -> refuse "There are no grounds of this kind for these sides."

(* ---- solitaires *)
type tried = None_better | Some_better | Not_tried

type 'move solitaire = {
  read : string -> (int * 'move) option;  (* a move, and the number by which moves are in order *)
  score_of : 'move list -> int option;  (* of a whole game by the rules *)
  begins : 'move -> bool;  (* whether a game can begin with it *)
  least : int;
  most : int;  (* no score is below or above these *)
  tried : is_lowest:bool -> int -> tried;  (* whether some game has a better score *)
  check_table : (is_lowest:bool -> Json.t -> int -> string list option -> string list -> unit) option;
      (* refuses a table that doesn't show the claim, as `check_by_table` does; None where Coq has no tables of the game *)
  check_proof : (string -> int -> verdict) option;
      (* judges the proof of a SAT solver that no score is above this; None where the game has no clauses *)
}

let check_solitaire game certificate =
  let claim = field "claim" certificate in
  need (has_fields [ "score"; "low"; "high"; "best_moves" ] claim) "The claim must have score, low, high and best_moves.";
  let is_lowest =
    match field "score" claim with
    | Json.Text "lowest" -> true
    | Json.Text "highest" -> false
    | _ -> refuse "The score is highest or lowest with one player."
  in
  let low = value "low" (field "low" claim) and high = value "high" (field "high" claim) in
  need (low <= high) "low is above high.";
  need (game.least <= low && high <= game.most) "It claims less than the rules alone give.";
  let read text = match game.read text with Some found -> found | None -> refuse "A move can't be read." in
  let moves what given = List.map read (texts what given) in
  let line = List.map read (witness certificate) in
  need (game.score_of (List.map snd line) = Some (if is_lowest then high else low)) "The witness doesn't reach what is claimed.";
  let best_moves = match field "best_moves" claim with Json.Null -> None | given -> Some (moves "best_moves" given) in
  let are_right given =
    given <> [] && List.for_all (fun (_, move) -> game.begins move) given && List.sort_uniq compare given = given
    && List.mem (List.hd line) given
  in
  need (Option.fold ~none:true ~some:are_right best_moves) "best_moves must be legal, in order, each once, and begin the witness.";
  let reached, best = if is_lowest then ("high", "low") else ("low", "high") in
  let check ground =
    let for_sides = sides ground in
    let has names = need (has_fields ("for" :: "kind" :: names) ground) "Grounds of this kind have other keys." in
    match (field "kind" ground, for_sides) with
    | Json.Text "witness", [ side ] when side = reached ->
        has [];
        (for_sides, None)
    | Json.Text "bound", [ side ] ->
        has [];
        need (if side = "high" then high = game.most else low = game.least) "The bound of the rules is another.";
        (for_sides, None)
    | Json.Text "tried", [ side ] when side = best -> (
        has [];
        match game.tried ~is_lowest (if is_lowest then low else high) with
        | None_better -> (for_sides, None)
        | Not_tried -> (for_sides, Some "tried")
        | Some_better -> refuse "Another game has a better score.")
    | Json.Text "exhaustive", _ ->
        check_search ground;
        (for_sides, Some "exhaustive")
    | Json.Text "unsat", [ "high" ] when (not is_lowest) && Option.is_some game.check_proof -> (
        has [ "proof" ];
        let proof = match field "proof" ground with Json.Text text -> text | _ -> refuse "The proof must be a text." in
        match (Option.get game.check_proof) proof high with
        | Verified -> (for_sides, None)
        | Unchecked _ -> (for_sides, Some "unsat"))
    | Json.Text "table", [ _; _ ] when low = high && Option.is_some game.check_table ->
        let given = function Json.Null -> None | moves -> Some (texts "best_moves" moves) in
        Option.get game.check_table ~is_lowest ground low (given (field "best_moves" claim)) (witness certificate);
        (for_sides, None)
    | Json.Text (("table" | "minimax") as kind), [ _; _ ] when low = high -> (for_sides, Some kind)
    | _ -> refuse "There are no grounds of this kind for these sides."
  in
  judge certificate best_moves check

(* The squares of an n by n grid by their names. *)
let squares n =
  let names = Hashtbl.create (n * n) in
  List.iter (fun k -> Hashtbl.add names (square_text (k mod n, k / n)) k) (List.init (n * n) Fun.id);
  Hashtbl.find_opt names

let longest = 23  (* numbers of games of Up And Up that are looked for; Coq's tables have room for so many steps *)
let most_known = 13  (* steps after which it is found first where a run can end *)

let up_and_up n =
  let square = squares n in
  let tried ~is_lowest claimed =
    if (not is_lowest) || claimed > longest + 1 then Not_tried
    else if claimed = 1 || Check.up_and_up_none_shorter n (max 0 (min most_known (claimed - 3))) claimed then None_better
    else Some_better
  in
  let check_table ~is_lowest =
    let open UpAndUpRules in
    let player = if is_lowest then P2 else P1 in
    let key s =
      let last = match s.path with [] -> "" | x :: _ -> square_text x in
      String.concat " " (last :: string_of_int s.next_step :: List.map square_text (List.sort compare s.path))
    in
    let values all =
      let table = List.fold_left (fun t (s, v) -> Check.up_and_up_add t s v) Leaf all in
      if Check.up_and_up_right player n table then Some (Check.up_and_up_value player n table) else None
    in
    let as_game =
      {
        start;
        moves = (fun s -> List.map (fun x -> (square_text x, play s x)) (legal n s));
        is_over = over n;
        result = score;
        key;
        table = Some values;
        holds = None;
      }
    in
    check_by_table as_game ~read:(value "A value") ~add:( + ) values
  in
  {
    read = (fun text -> Option.map (fun k -> (k, (k mod n, k / n))) (square text));
    score_of = Check.up_and_up_score n;
    begins = (fun _ -> true);
    least = 1;
    most = Check.squares_bound n;
    tried;
    check_table = Some check_table;
    check_proof = None;
  }

let sums_grid n =
  let open SumsGridRules in
  let square = squares n and base = 1_000_000_001 in
  let number text =
    match int_of_string_opt text with
    | Some k when string_of_int k = text && 0 < k && k < base -> Some k
    | _ -> None
  in
  let write k value = ((k * base) + value, Write (k, value)) in
  let read text =
    match String.split_on_char '=' text with
    | [ "done" ] -> Some (n * n * base, Done)
    | [ name; "" ] -> Option.map (fun k -> write k 0) (square name)
    | [ name; value ] -> Option.bind (square name) (fun k -> Option.map (write k) (number value))
    | _ -> None
  in
  let tried ~is_lowest claimed =
    let is_full = (not is_lowest) && claimed = (n * n * n) - 1 in
    if is_full && n < 3 then Some_better
    else if is_full && Check.sums_grid_tried n = Some claimed then None_better
    else Not_tried
  in
  {
    read;
    score_of = Check.sums_grid_score n;
    begins = is_legal n (start n);
    least = 0;
    most = Check.sums_grid_bound n;
    tried;
    check_table = None;
    check_proof = None;
  }

let largest_clauses = 7  (* n; the clauses of larger grids need more than the usual stack of 8 MB *)

let sequence_ascension n ranks =
  let square = squares n in
  let check_proof proof highest =
    need (highest < n * n) "Only scores below n*n have such a proof.";
    if n > largest_clauses then Unchecked "unsat"
    else
      match Ascension.none_from n ranks (highest + 1) proof with
      | true -> Verified
      | false -> refuse "A step of the proof doesn't follow."
      | exception Reasons.Bad why -> refuse why
  in
  {
    read = (fun text -> Option.map (fun k -> (k, k)) (square text));
    score_of = Check.sequence_ascension_score n ranks;
    begins = (fun _ -> true);
    least = 1;
    most = Check.squares_bound n;
    tried = (fun ~is_lowest:_ _ -> refuse "Nobody says how to try all games of this kind.");
    check_table = None;
    check_proof = Some check_proof;
  }

let keys = [ "format"; "version"; "game"; "rules"; "parameters"; "claim"; "witness"; "grounds"; "digest" ]

let check text =
  let certificate = try Json.of_string text with Json.Bad | Stack_overflow -> refuse "It is not JSON as certificates have it." in
  need (has_fields keys certificate) "It hasn't the keys of a certificate.";
  need (field "format" certificate = Json.Text "quet-certificate") "The format must be quet-certificate.";
  need (field "version" certificate = Json.Int 1) "The version must be 1.";
  let rest =
    match certificate with
    | Json.Object pairs -> Json.Object (List.filter (fun (name, _) -> name <> "digest") pairs)
    | other -> other
  in
  let digest = try Sha256.hex (Json.to_string rest) with Json.Bad -> refuse "It is not text in UTF-8." in
  need (field "digest" certificate = Json.Text digest) "Something has changed since it was written.";
  let parameters = field "parameters" certificate in
  let parameter name low high =
    let value = integer name (field name parameters) in
    need (low <= value && value <= high) (name ^ " is out of range.");
    value
  in
  let rules_are version = need (field "rules" certificate = Json.Int version) "The rules have another version now." in
  match field "game" certificate with
  | Json.Text "palindromes" ->
      rules_are 1;
      need (has_fields [ "m" ] parameters) "The parameter is m.";
      let m = parameter "m" 1 64 in
      check_game (palindromes m) (Row m) ~bound:(Check.bound m) certificate
  | Json.Text "plusses-minuses" ->
      rules_are 1;
      need (has_fields [ "n"; "second_part_first" ] parameters) "The parameters are n and second_part_first.";
      let n = parameter "n" 2 20 and first = if parameter "second_part_first" 1 2 = 1 then P1 else P2 in
      check_game (plusses_minuses n first) (Grid (n, first)) ~bound:(n - 1) certificate
  | Json.Text "blob" ->
      rules_are 1;
      need (has_fields [ "n" ] parameters) "The parameter is n.";
      let n = parameter "n" 2 20 in
      check_game (blob n) Nothing ~bound:n certificate
  | Json.Text "divisors-multiples" ->
      rules_are 1;
      need (has_fields [ "r"; "players" ] parameters) "The parameters are r and players.";
      let r = parameter "r" 2 1000 in
      let players = parameter "players" 2 8 in
      let is_whole = function
        | Json.Object pairs -> List.exists (fun kind -> List.mem ("kind", Json.Text kind) pairs) [ "table"; "minimax" ]
        | _ -> false
      in
      let is_for_many = match field "grounds" certificate with Json.List grounds -> List.exists is_whole grounds | _ -> false in
      if players > 2 || is_for_many then check_divisors_multiples_many r players certificate
      else check_game (divisors_multiples r) Nothing certificate
  | Json.Text "convoluted-coprimality" ->
      rules_are 1;
      need (has_fields [ "n"; "players"; "grids" ] parameters) "The parameters are n, players and grids.";
      let n = parameter "n" 2 60 and players = parameter "players" 2 8 in
      let grids = parameter "grids" 1 1000 in
      let game = convoluted_coprimality n players grids and better = Check.convoluted_coprimality_better n players grids in
      if players > 2 then check_many game players (Some better) certificate
      else
        let better s v w = better s (result_of v) (result_of w) in
        check_game (by_leads game) Nothing ~better certificate
  | Json.Text "up-and-up" ->
      rules_are 1;
      need (has_fields [ "n" ] parameters) "The parameter is n.";
      check_solitaire (up_and_up (parameter "n" 1 35)) certificate
  | Json.Text "sums-grid" ->
      rules_are 1;
      need (has_fields [ "n" ] parameters) "The parameter is n.";
      check_solitaire (sums_grid (parameter "n" 1 10)) certificate
  | Json.Text "sequence-ascension" -> (
      rules_are 1;
      need (has_fields [ "n"; "sequence" ] parameters) "The parameters are n and sequence.";
      let n = parameter "n" 2 20 in
      let text = match field "sequence" parameters with Json.Text text -> text | _ -> refuse "The sequence must be a text." in
      match Sequences.ranks text (n * n) with
      | ranks -> check_solitaire (sequence_ascension n ranks) certificate
      | exception Sequences.Bad -> refuse "The sequence can't be read, or is too short."
      | exception Sequences.Long -> Unchecked "A term of the sequence has too many digits.")
  | Json.Text _ -> Unchecked "Coq doesn't have what is checked of this game."
  | _ -> refuse "The game must be a name."

(* ---- files, packed ones too *)
let largest = 350_000_000  (* bytes, also unpacked; as `quet verify` has it *)

let unreadable why =
  prerr_endline ("quet-check: " ^ why);
  exit 2

let read_all name channel =
  let buffer = Buffer.create 65536 and chunk = Bytes.create 65536 in
  let rec go () =
    let count = input channel chunk 0 (Bytes.length chunk) in
    Buffer.add_subbytes buffer chunk 0 count;
    if Buffer.length buffer > largest then unreadable (name ^ ": It is larger than 350 MB.");
    if count > 0 then go ()
  in
  (try go () with Sys_error why -> unreadable (name ^ ": " ^ why));
  Buffer.contents buffer

(* A file as it is; `-` is standard input. *)
let read_file path =
  if path = "-" then (
    set_binary_mode_in stdin true;
    read_all "standard input" stdin)
  else
    let channel = try open_in_bin path with Sys_error why -> unreadable why in
    let content = read_all path channel in
    close_in channel;
    content

let plain content =
  if not (Packed.is_gzip content) then content
  else try Packed.ungzip ~most:largest content with Packed.Bad -> refuse "It is packed, and is damaged, cut off or added to, or too large."

(* Prints the verdict; returns the exit status. *)
let tell name content =
  let prefix = if name = "" then "" else name ^ ": " in
  match try check (plain content) with Stack_overflow -> Unchecked "It takes more than the stack has room for." with
  | Verified ->
      Printf.printf "%sverified\n%!" prefix;
      0
  | Unchecked why ->
      Printf.printf "%sunchecked: %s\n%!" prefix why;
      3
  | exception Refuted why ->
      Printf.printf "%srefuted: %s\n%!" prefix why;
      1

let status_of statuses = if List.mem 1 statuses then 1 else if List.mem 3 statuses then 3 else 0

let rec each_line statuses =
  match input_line stdin with
  | line -> each_line (tell "" line :: statuses)
  | exception End_of_file -> statuses

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] ->
      prerr_endline
        "Usage: quet-check FILE... (- is standard input), or quet-check --lines for one certificate in each line of standard \
         input, or quet-check --cnf FILE --lrat FILE for clauses and the proof that they can't all be true. Exit status: 0 \
         verified, 1 refuted, 3 unchecked, 2 where something can't be read.";
      exit 2
  | [ "--cnf"; cnf; "--lrat"; lrat ] -> (
      let read from path = try from (read_file path) with Lrat.Bad why -> unreadable (path ^ ": " ^ why) in
      let clauses = read Lrat.clauses cnf in
      match read Lrat.steps lrat with
      | steps when Lrat.refute clauses steps -> print_endline "verified: the clauses can't all be true"
      | _ ->
          print_endline "refuted: a step doesn't follow, or there is no empty clause";
          exit 1
      | exception Lrat.Rat ->
          print_endline "unchecked: the proof has RAT steps";
          exit 3)
  | [ "--lines" ] -> exit (status_of (each_line []))
  | paths ->
      let contents = List.map (fun path -> (path, read_file path)) paths in  (* all before any is checked *)
      exit (status_of (List.map (fun (path, content) -> tell path content) contents))
