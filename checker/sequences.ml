(* The sequences of Sequence Ascension: the first terms of those with a name, or the terms as they are written.

   Only the order of the terms matters. So what a text becomes is their ranks: equal terms have equal ranks, larger terms
   larger ones. *)
exception Bad
exception Long  (* a term has too many digits to be compared here *)

let rec gcd a b = if b = 0 then a else gcd b (a mod b)
let up_to k = List.init k (fun i -> i + 1)
let number_of is_one k = List.length (List.filter is_one (up_to k))
let is_prime k = number_of (fun d -> k mod d = 0) k = 2

let primes count =
  let rec go k found = if List.length found = count then List.rev found else go (k + 1) (if is_prime k then k :: found else found) in
  go 2 []

(* The digits of pi: pi is 2 + 1/3 (2 + 2/5 (2 + 3/7 (2 + ...))), so each digit is what the numbers 2, 2, 2, ... carry when all
   are multiplied by 10. A carry of 10 makes the digits before it larger. *)
let pi count =
  let length = (10 * (count + 10) / 3) + 1 in
  let mixed = Array.make length 2 in
  let next () =
    let carry = ref 0 in
    for i = length - 1 downto 1 do
      let value = (10 * mixed.(i)) + !carry in
      mixed.(i) <- value mod ((2 * i) + 1);
      carry := value / ((2 * i) + 1) * i
    done;
    let value = (10 * mixed.(0)) + !carry in
    mixed.(0) <- value mod 10;
    value / 10
  in
  let rec raise_last = function
    | [] -> []
    | 9 :: before -> 0 :: raise_last before
    | digit :: before -> (digit + 1) :: before
  in
  let add digits value = if value > 9 then (value - 10) :: raise_last digits else value :: digits in
  let digits = List.rev (List.fold_left (fun digits _ -> add digits (next ())) [] (up_to (count + 10))) in
  List.filteri (fun i _ -> i < count) digits

let named = function
  | "divisors" -> Some (fun count -> List.map (fun k -> number_of (fun d -> k mod d = 0) k) (up_to count))
  | "naturals" -> Some up_to
  | "totient" -> Some (fun count -> List.map (fun k -> number_of (fun d -> gcd d k = 1) k) (up_to count))
  | "primes" -> Some primes
  | "pi" -> Some pi
  | "mod3" -> Some (fun count -> List.map (fun k -> k mod 3) (up_to count))
  | _ -> None

(* An integer of any size as one to compare by: its sign, how many digits it has, and the digits. *)
let longest = 1_000  (* digits; `quet verify` reads some more *)

let written text =
  let is_negative = text <> "" && text.[0] = '-' in
  let digits = if is_negative then String.sub text 1 (String.length text - 1) else text in
  let is_canonical = digits <> "" && (digits = "0" || digits.[0] <> '0') && text <> "-0" in
  if not (is_canonical && String.for_all (fun c -> '0' <= c && c <= '9') digits) then raise Bad;
  let places = String.length digits in
  if places > longest then raise Long;
  if is_negative then (-places, String.map (fun c -> Char.chr (Char.code '0' + Char.code '9' - Char.code c)) digits)
  else (places, digits)

let most_characters = 1_000_000

(* The ranks of the first `count` terms; raises Bad and Long. *)
let ranks text count =
  let ranked terms =
    let terms = List.filteri (fun i _ -> i < count) terms in
    if List.length terms < count then raise Bad;
    let rank = Hashtbl.create count in
    List.iteri (fun i term -> Hashtbl.add rank term i) (List.sort_uniq compare terms);
    List.map (Hashtbl.find rank) terms
  in
  match named text with
  | Some first -> ranked (first count)
  | None ->
      if String.length text > most_characters then raise Bad;
      ranked (List.map written (String.split_on_char ',' text))
